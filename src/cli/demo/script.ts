import { startScriptedModel } from "../../testing/scripted-model/server.js";
import { applyPatch, event, execCommand, type Part, reasoning, waitFor } from "../../testing/scripted-model/steps.js";

/** What the patch adds to and deletes from the working folder. */
export const newNotes = { path: "notes.md", text: "# Notes\n\nWritten by the demo's patch.\n" };
export const oldNotes = { path: "old-notes.txt", text: "Call the bridge back.\nFälligkeit: 3 June.\nDelete me.\n" };

const millisecondsPerWord = 25;
// Codex streams no output that comes before it first looks, hence the pause at the start.
const command =
  process.platform === "win32"
    ? 'Start-Sleep -Milliseconds 400; 1..4 | ForEach-Object { "tick $_"; Start-Sleep -Milliseconds 400 }'
    : 'sleep 0.4; for n in 1 2 3 4; do echo "tick $n"; sleep 0.4; done';

const patch = `*** Begin Patch
*** Add File: ${newNotes.path}
${newNotes.text.replace(/^.*\n/gm, "+$&")}*** Delete File: ${oldNotes.path}
*** End Patch`;

export interface DemoModel {
  /** `base_url` for Codex. */
  readonly url: string;
  close(): Promise<void>;
}

/** A model that answers any prompt with the same turn: think, run a command, patch two files, sum up. */
export async function startDemoModel(prompt: string): Promise<DemoModel> {
  const first = paced(
    "commentary",
    `You asked: "${prompt}". This model is a script, so it does what it always does: first a command that takes its time.`,
  );
  const second = paced("commentary", `Now a patch that adds ${newNotes.path} and deletes ${oldNotes.path}.`);
  const last = paced(
    "final_answer",
    "Done. The command, the patch and the states above came from the real Codex, through the bridge, as ACP v2.",
  );
  const messages = [first, second, last];
  return startScriptedModel({
    scripts: [
      {
        key: "",
        steps: [
          [
            reasoning(["**Planning** a command, then a patch."]),
            ...first.parts,
            execCommand(command, { yield_time_ms: 10_000 }),
          ],
          [...second.parts, applyPatch(patch)],
          last.parts,
        ],
      },
    ],
    log: ({ step }) => messages[step]?.start(),
  });
}

interface PacedMessage {
  readonly parts: readonly Part[];
  /** Lets the words go, one at a time. */
  start(): void;
}

let lastMessage = 0;

/** A message that streams at a speed a person can follow. */
function paced(phase: "commentary" | "final_answer", text: string): PacedMessage {
  const id = `msg_demo_${++lastMessage}`;
  const item = { type: "message", role: "assistant", id, phase };
  const gates: (() => void)[] = [];
  const words = text
    .split(/(?<= )/)
    .flatMap((delta) => [
      waitFor(new Promise<void>((resolve) => gates.push(resolve))),
      event({ type: "response.output_text.delta", item_id: id, output_index: 0, content_index: 0, delta }),
    ]);
  return {
    parts: [
      event({ type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } }),
      ...words,
      event({
        type: "response.output_item.done",
        output_index: 0,
        item: { ...item, content: [{ type: "output_text", text }] },
      }),
    ],
    start() {
      const open = gates.shift();
      if (!open) return;
      open();
      setTimeout(() => this.start(), millisecondsPerWord);
    },
  };
}
