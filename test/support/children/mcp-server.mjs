// A small MCP server on stdio. `echo` gives its text back; `mutate` is not read-only, so that Codex asks before it
// runs; `ask_form` and `ask_url` ask the client, and give its answer back as JSON; `fail` says that it failed; `digest`
// tells what is in a variable of its environment without saying it.
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const send = (frame) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
const text = (value) => ({ content: [{ type: "text", text: value }] });
const tool = (name, readOnlyHint, properties) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties },
  ...(readOnlyHint ? { annotations: { readOnlyHint } } : {}),
});

const tools = [
  tool("echo", true, { text: { type: "string" } }),
  tool("mutate", false, { text: { type: "string" } }),
  tool("ask_form", true, { message: { type: "string" }, schema: { type: "object" } }),
  tool("ask_url", true, { message: { type: "string" }, url: { type: "string" } }),
  tool("fail", true, {}),
  tool("digest", true, { name: { type: "string" } }),
];

const open = new Map();
let lastId = 0;

/** Asks the client; resolves with its answer. */
const elicit = (params) =>
  new Promise((resolve) => {
    lastId += 1;
    open.set(lastId, resolve);
    send({ id: lastId, method: "elicitation/create", params });
  });

const calls = {
  echo: (args) => text(args.text),
  mutate: (args) => text(`mutated ${args.text}`),
  ask_form: async ({ message, schema }) =>
    text(JSON.stringify(await elicit({ mode: "form", message, requestedSchema: schema }))),
  ask_url: async ({ message, url }) =>
    text(JSON.stringify(await elicit({ mode: "url", message, url, elicitationId: "page-1" }))),
  digest: ({ name }) =>
    text(
      createHash("sha256")
        .update(process.env[name] ?? "")
        .digest("hex"),
    ),
  fail: () => ({ ...text("it did not work"), isError: true }),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "tiny", version: "0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: args }) => calls[name](args ?? {}),
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    open.get(id)?.(result ?? error);
    open.delete(id);
    return;
  }
  if (id === undefined) return;
  const answer = answers[method];
  if (answer === undefined) send({ id, error: { code: -32601, message: `no method ${method}` } });
  else send({ id, result: await answer(params) });
});
