import { describe, expect, it } from "vitest";
import {
  listProcesses,
  type ProcessEntry,
  parseProcStat,
  parsePsLine,
  selectTree,
} from "../../../src/codex/process-table.js";

describe("parseProcStat", () => {
  const rest = "4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 100 200";
  it("reads a name with spaces and parentheses", () => {
    expect(parseProcStat(`42 (a) b (c) S 7 40 40 0 -1 ${rest}`)).toEqual({
      pid: 42,
      ppid: 7,
      pgid: 40,
      started: "987654",
    });
  });
  it("leaves out what only waits to be reaped", () =>
    expect(parseProcStat(`42 (x) Z 7 40 40 0 -1 ${rest}`)).toBeNull());
  it("leaves out what it cannot read", () => expect(parseProcStat("nonsense")).toBeNull());
});

describe("parsePsLine", () => {
  it("reads a line", () => {
    expect(parsePsLine("  501     1   501 S+   Tue Dec  1 00:31:25 2026  ")).toEqual({
      pid: 501,
      ppid: 1,
      pgid: 501,
      started: "Tue Dec  1 00:31:25 2026",
    });
  });
  it("leaves out zombies and empty lines", () => {
    expect(parsePsLine("501 1 501 Z Tue Dec  1 00:31:25 2026")).toBeNull();
    expect(parsePsLine("")).toBeNull();
  });
});

describe("selectTree", () => {
  const entry = (pid: number, ppid: number, pgid: number, started = "1"): ProcessEntry => ({
    pid,
    ppid,
    pgid,
    started,
  });
  const pids = (entries: readonly ProcessEntry[]): number[] => entries.map(({ pid }) => pid).sort((a, b) => a - b);

  it("takes the group and all descendants, whatever their groups and their order in the list", () => {
    const all = [
      entry(13, 12, 13),
      entry(12, 11, 12),
      entry(11, 10, 10),
      entry(10, 1, 10),
      entry(20, 1, 20),
      entry(14, 1, 10),
    ];
    expect(pids(selectTree(all, 10))).toEqual([10, 11, 12, 13, 14]);
  });
  it("knows an orphan again by its start, and its children", () => {
    const known = [entry(12, 11, 12)];
    expect(pids(selectTree([entry(12, 1, 12), entry(15, 12, 12)], 10, known))).toEqual([12, 15]);
  });
  it("does not take a process that got the id of a dead member", () => {
    expect(selectTree([entry(12, 1, 12, "2")], 10, [entry(12, 11, 12, "1")])).toEqual([]);
  });
});

describe("listProcesses", () => {
  it("finds this process and its parent, where the platform can tell", () => {
    const parent = listProcesses().find(({ pid }) => pid === process.pid)?.ppid;
    expect(parent).toBe(process.platform === "win32" ? undefined : process.ppid);
  });
  it("cannot tell on Windows", () => expect(listProcesses("win32")).toEqual([]));
});
