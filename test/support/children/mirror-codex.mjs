#!/usr/bin/env node
// Stands in for `codex` through CODEX_PATH and gives back what it got, letter for letter: as the result of a request,
// as the data of an error (for params that begin with the member `mirror:error`), and as the params of the
// notifications that MIRROR_NOTIFICATIONS names. A request without params of its own gets those of the one before.
// Lines end in a line feed and in nothing else: readline would also cut at what may stand inside JSON.
const request = /^\{"id":(\d+),"method":("[^"]*")(?:,"params":(.*))?\}$/s;
const notifications = JSON.parse(process.env.MIRROR_NOTIFICATIONS ?? "[]");
const say = (text) => process.stdout.write(`${text}\n`);
const info = { userAgent: "codex/0.171.0", codexHome: "/", platformFamily: "unix", platformOs: "linux" };

let last = "{}";

function take(line) {
  const [, id, method, params] = request.exec(line) ?? [];
  if (id === undefined) return;
  if (method === '"initialize"') say(`{"id":${id},"result":${JSON.stringify(info)}}`);
  else if (method === '"model/list"') say(`{"id":${id},"error":{"code":-32600,"message":"no models"}}`);
  else if (params?.startsWith('{"mirror:error":'))
    say(`{"id":${id},"error":{"code":-32042,"message":"mirrored","data":${params}}}`);
  else if (params === undefined || params === '{"refreshToken":false}') say(`{"id":${id},"result":${last}}`);
  else {
    last = params;
    for (const name of notifications) say(`{"method":${JSON.stringify(name)},"params":${params},"emittedAtMs":1}`);
    say(`{"id":${id},"result":${params}}`);
  }
}

if (process.argv.includes("--version")) say("codex-cli 0.171.0");
else {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) take(line);
  });
}
