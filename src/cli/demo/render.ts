import { StringDecoder } from "node:string_decoder";
import {
  ContentBlock,
  SessionUpdate,
  StateUpdate,
  ToolCallContent,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { Paint } from "../paint.js";
import type { Screen } from "./screen.js";

/** Shows a session's updates on `screen` as they come. */
export function createRenderer(screen: Screen, paint: Paint): (update: SessionUpdate) => void {
  const decoders = new Map<string, StringDecoder>();

  const note = (what: string, text: string): void => screen.line(paint("dim", `  ${what.padEnd(8)} ${text}`));

  const chunk = (messageId: string, content: ContentBlock, verb: string, format: (text: string) => string): void => {
    if (!ContentBlock.isText(content)) return;
    const heading = `${paint(["bold", "magenta"], `agent ${verb}`)}  `;
    screen.stream(messageId, content.text, { heading, format });
  };

  const terminalOutput = (terminalId: string, data: string): void => {
    const decoder = decoders.get(terminalId) ?? new StringDecoder("utf8");
    decoders.set(terminalId, decoder);
    const text = decoder.write(Buffer.from(data, "base64"));
    screen.stream(terminalId, text, { margin: "  | ", format: (part) => paint("cyan", part) });
  };

  const toolContent = (content: ToolCallContent): void => {
    if (!ToolCallContent.isDiff(content) || !content.patch) return;
    for (const line of content.patch.text.replace(/\n$/, "").split("\n")) screen.line(`    ${patchLine(line, paint)}`);
  };

  const state = (update: StateUpdate): void => {
    const idle = StateUpdate.isIdle(update) ? update : undefined;
    screen.line(paint("green", `* ${update.state}${idle?.stopReason ? ` (${idle.stopReason})` : ""}`));
    if (idle?.stopReason === "error" && "error" in idle) screen.line(paint("red", JSON.stringify(idle.error)));
  };

  return (update) => {
    if (SessionUpdate.isUserMessage(update)) {
      for (const block of update.content ?? []) {
        if (ContentBlock.isText(block)) screen.line(`${paint(["bold", "blue"], "you")}  ${block.text}`);
      }
    } else if (SessionUpdate.isAgentThoughtChunk(update)) {
      chunk(update.messageId, update.content, "thinks", (text) => paint("dim", text));
    } else if (SessionUpdate.isAgentMessageChunk(update)) {
      chunk(update.messageId, update.content, "says", (text) => text);
    } else if (SessionUpdate.isToolCallUpdate(update)) {
      if (update.name) screen.line(`${paint(["bold", "yellow"], `tool ${update.name}`)}  ${update.title ?? ""}`);
      update.content?.forEach(toolContent);
      if (update.status && update.status !== "in_progress") note("tool", update.status);
    } else if (SessionUpdate.isTerminalOutputChunk(update)) {
      terminalOutput(update.terminalId, update.data);
    } else if (SessionUpdate.isTerminalUpdate(update)) {
      if (update.exitStatus) note("exit", String(update.exitStatus.exitCode ?? update.exitStatus.signal));
    } else if (SessionUpdate.isStateUpdate(update)) {
      state(update);
    } else if (SessionUpdate.isUsageUpdate(update)) {
      note("usage", `${update.used} of ${update.size} tokens`);
    } else {
      note("update", update.sessionUpdate);
    }
  };
}

function patchLine(line: string, paint: Paint): string {
  if (/^(diff |index |new |deleted |similarity |rename |old |--- |\+\+\+ )/.test(line)) return paint("bold", line);
  if (line.startsWith("@@")) return paint("cyan", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line;
}
