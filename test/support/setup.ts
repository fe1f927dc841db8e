/** Runs in every test file: nothing that a file opens may outlive it. */
import { afterAll, beforeAll, expect } from "vitest";
import { type OpenResources, openResources, settledLeaks } from "./leaks.js";

let before: OpenResources;

beforeAll(() => {
  before = openResources();
});

// Registered first, so it runs last.
afterAll(async () => {
  expect(await settledLeaks(before), "left open by this file").toEqual([]);
});
