import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { loadWireSchemas } from "../../src/testing/wire-schemas.js";
import { runBench } from "../bench/bench.js";
import { prepareField } from "../bench/contenders.js";
import { axes, runGrowth } from "../bench/growth.js";
import { growthSvg } from "../bench/growth-svg.js";
import { folderOf, historyId, promptOf } from "../bench/script.js";
import { growthTables, medianTables, targetTable } from "../bench/tables.js";
import { targets } from "../bench/targets.js";
import { type Sizes, workloadNames } from "../bench/workloads.js";

const tiny: Sizes = {
  text: 50,
  output: 20,
  latency: 10,
  stall: 50,
  stallMs: 1,
  sessions: 3,
  sessionDeltas: 30,
  replay: 120,
  list: 130,
};

/** Not every contender does every workload. */
const contendersOf: { readonly [workload: string]: readonly string[] } = {
  replay: ["floor", "ours", "v1"],
  list: ["floor", "ours"],
};

// Each workload checks itself that every delta came, once and in order; no figure is judged here.
test("the bench measures floor, copier and bridge in every workload and prints where they stand", {
  timeout: 60_000,
}, async () => {
  const lines: string[] = [];
  const report = await runBench({
    rounds: 1,
    sizes: tiny,
    only: [],
    peers: false,
    v1: true,
    progress: (line) => void lines.push(line),
  });

  expect(report.failures).toEqual([]);
  expect(report.contenders).toEqual(["floor", "copier", "ours", "v1"]);
  expect(Object.keys(report.results).sort()).toEqual([...workloadNames].sort());
  for (const [workload, of] of Object.entries(report.results)) {
    expect(Object.keys(of)).toEqual(contendersOf[workload] ?? ["floor", "copier", "ours", "v1"]);
  }
  expect(lines).toHaveLength(workloadNames.length * 4 - 3);
  const table = targetTable(report.results, report.contenders);
  for (const { label } of targets) expect(table).toContain(`| ${label} | `);
  expect(medianTables(report.results, report.contenders)).toContain("### replay");
});

test("growth is measured along each axis and drawn", { timeout: 60_000 }, async () => {
  const small = axes.map((axis) => ({
    ...axis,
    counts: [1, 2],
    sizes: (count: number) => ({ ...axis.sizes(count), sessionDeltas: 20 }),
  }));
  const curves = await runGrowth({ rounds: 1, axes: small, progress: () => undefined });
  expect(curves.map(({ axis, contender }) => `${axis} ${contender}`)).toEqual(
    axes.flatMap(({ name }) => [`${name} floor`, `${name} ours`]),
  );
  for (const { points } of curves) expect(points.map(({ count }) => count)).toEqual([1, 2]);
  const svg = growthSvg(curves);
  expect(svg.match(/<polyline/g)).toHaveLength(12);
  expect(svg).not.toContain("NaN");
  expect(growthTables(curves)).toContain("| turns of a history | floor cpuUs |");
});

test("a name that is neither workload nor contender is refused", async () => {
  const run = runBench({ rounds: 1, sizes: tiny, only: ["txet"], peers: false, progress: () => undefined });
  await expect(run).rejects.toThrow("unknown: txet; known: floor, copier, ours, start, text");
});

test("all that the fake Codex of the bench says is of Codex's schema", async () => {
  const { codex } = await loadWireSchemas();
  const field = await prepareField({ peers: false });
  const child = spawn(process.execPath, [field.env.CODEX_PATH, "app-server"], { stdio: ["pipe", "pipe", "inherit"] });
  const history = { threadId: historyId(7), sortDirection: "asc" };
  const turn = (kind: "text" | "output") => ({
    threadId: "t",
    input: [{ type: "text", text: promptOf({ kind, count: 3, rate: 0 }), text_elements: [] }],
  });
  const asked: readonly (readonly [method: string, params: object])[] = [
    ["initialize", {}],
    ["account/read", {}],
    ["model/list", {}],
    ["permissionProfile/list", {}],
    ["thread/start", {}],
    ["thread/resume", history],
    ["thread/items/list", history],
    ["thread/turns/list", { ...history, itemsView: "full" }],
    ["thread/list", { cwd: folderOf(40) }],
    ["thread/read", { threadId: "0bec0009-0000-7000-8000-000000000019" }],
    ["thread/turns/list", { threadId: "0bec0009-0000-7000-8000-000000000019", itemsView: "summary" }],
    ["turn/start", turn("text")],
    ["turn/start", turn("output")],
  ];
  for (const [index, [method, params]] of asked.entries()) {
    child.stdin.write(`${JSON.stringify({ id: index, method, params })}\n`);
  }
  let ended = 0;
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    ended = text.split('"turn/completed"').length - 1;
    if (ended >= 2) child.stdin.end();
  }
  await field.close();
  const frames = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const faults = frames.flatMap(({ id, method, params, result }) => {
    const checks = codex(id === undefined ? "codex" : "bridge", method ?? asked[id]?.[0]);
    const check = id === undefined ? checks?.params : checks?.result;
    const fault = check ? check(id === undefined ? params : result) : { path: "", expected: "a method of Codex" };
    return fault ? [{ method: method ?? asked[id]?.[0], ...fault }] : [];
  });
  expect(faults).toEqual([]);
  expect(frames.filter(({ id }) => id !== undefined)).toHaveLength(asked.length);
  expect(frames.filter(({ method }) => /delta/i.test(method ?? ""))).toHaveLength(6);
});
