import { describe, expect, test, vi } from "vitest";
import { unlessCancelled } from "../../../src/policy/history/cancel.js";

describe("unlessCancelled()", () => {
  test("starts nothing for a request that is cancelled already", async () => {
    const start = vi.fn(async () => "late");
    await expect(unlessCancelled(AbortSignal.abort(), start)).rejects.toMatchObject({ kind: "history_cancelled" });
    expect(start).not.toHaveBeenCalled();
  });

  test("hands on the result and the error of what it started", async () => {
    const { signal } = new AbortController();
    expect(await unlessCancelled(signal, async () => 1)).toBe(1);
    await expect(unlessCancelled(signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  test("stops waiting with the cancel, whatever becomes of the work", async () => {
    const controller = new AbortController();
    const waiting = unlessCancelled(controller.signal, () => new Promise(() => undefined));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "history_cancelled" });
  });
});
