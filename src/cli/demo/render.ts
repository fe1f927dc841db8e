import { StringDecoder } from "node:string_decoder";
import {
  ContentBlock,
  SessionUpdate,
  StateUpdate,
  ToolCallContent,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { Paint } from "../paint.js";
import type { Screen } from "./screen.js";

/** Shows a session's updates on `screen` as they come; what a later update repeats is shown once. */
export function createRenderer(screen: Screen, paint: Paint): (update: SessionUpdate) => void {
  const terminals = new Map<string, { readonly decoder: StringDecoder; streamed: string }>();
  const streamedMessages = new Set<string>();
  const patches = new Map<string, string>();

  const note = (what: string, text: string): void => screen.line(paint("dim", `  ${what.padEnd(8)} ${text}`));

  const say = (messageId: string, content: ContentBlock, verb: string): void => {
    if (!ContentBlock.isText(content)) return;
    streamedMessages.add(messageId);
    const heading = `${paint(["bold", "magenta"], `agent ${verb}`)}  `;
    const format = (text: string): string => (verb === "thinks" ? paint("dim", text) : text);
    screen.stream(messageId, content.text, { heading, format });
  };

  /** The whole message, which most often has been streamed already. */
  const message = (messageId: string, content: readonly ContentBlock[], verb: string): void => {
    if (!streamedMessages.has(messageId)) for (const block of content) say(messageId, block, verb);
  };

  const terminal = (terminalId: string) => {
    const known = terminals.get(terminalId) ?? { decoder: new StringDecoder("utf8"), streamed: "" };
    terminals.set(terminalId, known);
    return known;
  };
  const output = (terminalId: string, text: string): void =>
    screen.stream(terminalId, text, { margin: "  | ", format: (part) => paint("cyan", part) });

  const terminalChunk = (terminalId: string, data: string): void => {
    const known = terminal(terminalId);
    const text = known.decoder.write(Buffer.from(data, "base64"));
    known.streamed += text;
    output(terminalId, text);
  };

  /** A snapshot takes the place of what was streamed. */
  const terminalSnapshot = (terminalId: string, data: string): void => {
    const text = Buffer.from(data, "base64").toString("utf8");
    const known = terminal(terminalId);
    if (text === known.streamed) return;
    if (known.streamed !== "") note("output", "whole, as the stream was incomplete:");
    known.streamed = text;
    output(terminalId, text);
  };

  const patch = (toolCallId: string, content: ToolCallContent): void => {
    if (!ToolCallContent.isDiff(content) || !content.patch || patches.get(toolCallId) === content.patch.text) return;
    patches.set(toolCallId, content.patch.text);
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
    } else if (SessionUpdate.isAgentThoughtChunk(update)) say(update.messageId, update.content, "thinks");
    else if (SessionUpdate.isAgentMessageChunk(update)) say(update.messageId, update.content, "says");
    else if (SessionUpdate.isAgentThought(update)) message(update.messageId, update.content ?? [], "thinks");
    else if (SessionUpdate.isAgentMessage(update)) message(update.messageId, update.content ?? [], "says");
    else if (SessionUpdate.isToolCallUpdate(update)) {
      if (update.name) screen.line(`${paint(["bold", "yellow"], `tool ${update.name}`)}  ${update.title ?? ""}`);
      for (const content of update.content ?? []) patch(update.toolCallId, content);
      if (update.status && update.status !== "in_progress") note("tool", update.status);
    } else if (SessionUpdate.isTerminalOutputChunk(update)) terminalChunk(update.terminalId, update.data);
    else if (SessionUpdate.isTerminalUpdate(update)) {
      if (update.output) terminalSnapshot(update.terminalId, update.output.data);
      if (update.exitStatus) note("exit", String(update.exitStatus.exitCode ?? update.exitStatus.signal));
    } else if (SessionUpdate.isStateUpdate(update)) state(update);
    else if (SessionUpdate.isUsageUpdate(update)) note("usage", `${update.used} of ${update.size} tokens`);
    else if (SessionUpdate.isNotice(update)) note("notice", update.title);
    else if (SessionUpdate.isSessionInfoUpdate(update)) note("title", update.title ?? "none");
    else note("update", update.sessionUpdate);
  };
}

function patchLine(line: string, paint: Paint): string {
  if (/^(diff |index |new |deleted |similarity |rename |old |--- |\+\+\+ )/.test(line)) return paint("bold", line);
  if (line.startsWith("@@")) return paint("cyan", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line;
}
