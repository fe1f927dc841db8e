// Answers `initialize`, and nothing after it.
import { createInterface } from "node:readline";

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method !== "initialize") return;
  const result = { protocolVersion: 2, info: { name: "silent", version: "1" }, capabilities: {}, authMethods: [] };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
