import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDocsDriver } from "../support/docs-driver.js";
import { repository } from "../support/places.js";

/** Debian's; another with CHROMIUM_PATH. */
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const failing = "init/unknown-method";
const skipped = "init/codex-capabilities";
const passed = "init/device-code-without-url";
let folder: string;
let browser: Browser;
let page: Page;

/** A report of an agent that answers `initialize` and nothing more, as the command writes it. */
const writeReport = (path: string): Promise<unknown> =>
  new Promise((resolve) => {
    const agent = join(repository, "test/scripted/conformance/agents/answers-nothing-more.mjs");
    const cases = ["--case", failing, skipped, passed, "--timeout", "300"];
    const args = [
      join(repository, "dist/cli.js"),
      "conformance",
      ...cases,
      "--html",
      path,
      "--",
      process.execPath,
      agent,
    ];
    // Its exit code says that a case failed.
    execFile(process.execPath, args, (_error, stdout) => resolve(stdout));
  });

const writeHostReport = (path: string, name: string, driver: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const options = ["--case", name, "--html", path, "--", process.execPath, driver];
    execFile(process.execPath, [join(repository, "dist/cli.js"), "host-check", ...options], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codex-acp-kit-report-"));
  const report = join(folder, "report.html");
  await writeReport(report);
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(pathToFileURL(report).href);
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const box = async (locator: Locator) => {
  const found = await locator.boundingBox();
  if (!found) throw new Error("it is not on the page");
  return found;
};

/** Run in the browser, whose types are not those of this file. */
const colours = `async (url) => {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const seen = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    seen.set(colour, (seen.get(colour) ?? 0) + 1);
  }
  return { count: seen.size, most: Math.max(...seen.values()) / (data.length / 4) };
}`;

/** How many colours a screenshot has, and the share of the most frequent one. */
async function coloursOf(png: Buffer): Promise<{ readonly count: number; readonly most: number }> {
  const canvas = await browser.newPage();
  try {
    return await canvas.evaluate(`(${colours})("data:image/png;base64,${png.toString("base64")}")`);
  } finally {
    await canvas.close();
  }
}

const colourOf = (selector: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).color`);

const fits = (): Promise<boolean> => page.evaluate("document.documentElement.scrollWidth <= window.innerWidth");

describe("the report in a browser", () => {
  test("says whose it is, how many cases came out how, and where", async () => {
    expect(await page.locator("h1").textContent()).toMatch(/\S/);
    const totals = await page.locator(".totals").textContent();
    for (const status of ["passed", "failed", "skipped"]) expect(totals).toContain(`1${status}`);
    expect(await page.locator("table").textContent()).toMatch(/INIT/);
    for (const name of [failing, skipped, passed])
      expect(await page.locator(`details[id="${name}"]`).isVisible()).toBe(true);
  });

  test("shows the first failure opened: its clause, what was expected, and the frames between the three parties", async () => {
    const failure = page.locator(`details[id="${failing}"]`);
    expect(await failure.getAttribute("open")).not.toBeNull();
    const text = await failure.textContent();
    expect(text).toContain("INIT-20 MUST");
    expect(text).toContain("waited 300 ms in vain");
    const [host, agent, codex] = await Promise.all(
      [0, 1, 2].map((index) => box(failure.locator(".sequence .head").nth(index))),
    );
    if (!host || !agent || !codex) throw new Error("the sequence has no three heads");
    // One lane each, side by side and as wide as the others.
    expect(host.x + host.width).toBeLessThanOrEqual(agent.x + 1);
    expect(agent.x + agent.width).toBeLessThanOrEqual(codex.x + 1);
    for (const head of [agent, codex]) {
      expect(Math.abs(head.y - host.y)).toBeLessThan(2);
      expect(Math.abs(head.width - host.width)).toBeLessThan(2);
    }
    const arrows = failure.locator(".sequence .arrow");
    const tops = await Promise.all((await arrows.all()).map(async (arrow) => (await box(arrow)).y));
    expect(tops.length).toBeGreaterThan(2);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    // The agent never starts Codex here, so each frame goes between host and agent, with its line and its time.
    for (const arrow of await arrows.all()) {
      const line = await box(arrow.locator("summary"));
      expect(line.x).toBeGreaterThan(host.x);
      expect(line.x).toBeLessThan(host.x + host.width);
      expect(line.x + line.width).toBeGreaterThan(agent.x);
      expect(line.x + line.width).toBeLessThan(agent.x + agent.width);
      const time = await box(arrow.locator("xpath=preceding-sibling::*[1]"));
      expect(time.x + time.width).toBeLessThanOrEqual(line.x);
      expect(Math.abs(time.y - line.y)).toBeLessThan(line.height);
    }
  });

  test("opens a case that passed where it is pressed, with its frames", async () => {
    const one = page.locator(`details[id="${passed}"]`);
    await one.locator("> summary").click();
    await one.locator(".sequence .arrow").first().waitFor({ timeout: 5_000 });
    expect(await one.locator(".sequence .arrow").count()).toBeGreaterThan(1);
    expect(await one.locator(".fault").count()).toBe(0);
    await one.locator("> summary").click();
  });

  test("opens a frame where it is pressed, and finds cases by their words", async () => {
    const arrow = page.locator(`details[id="${failing}"] .sequence .arrow`).first();
    await arrow.locator("summary").click();
    expect(await arrow.locator("pre").textContent()).toContain('"protocolVersion": 2');
    const summary = `document.querySelector('details[id="${failing}"] .sequence .arrow summary')`;
    expect(await page.evaluate(`getComputedStyle(${summary}).borderBottomWidth`)).not.toBe("0px");
    await page.getByLabel("Search").fill("codex-capabilities");
    expect(await page.locator(`details[id="${failing}"]`).isVisible()).toBe(false);
    expect(await page.locator(`details[id="${skipped}"]`).isVisible()).toBe(true);
    await page.getByLabel("Search").fill("");
  });

  test("is not blank, not bare of its style, and no wider than the window", async () => {
    const path = process.env["REPORT_SCREENSHOT"];
    const { count, most } = await coloursOf(await page.screenshot(path === undefined ? {} : { path }));
    expect(count).toBeGreaterThan(50);
    expect(most).toBeLessThan(0.97);
    expect(await colourOf(".total.failed")).not.toBe(await colourOf("h1"));
    expect(await fits()).toBe(true);
  });

  test("fits a narrow window too", async () => {
    await page.setViewportSize({ width: 480, height: 900 });
    expect(await fits()).toBe(true);
    await page.setViewportSize({ width: 1200, height: 900 });
  });
});

describe("the report on a host", () => {
  let docs: Awaited<ReturnType<typeof writeDocsDriver>>;
  const name = "permission/withdrawn";

  beforeAll(async () => {
    docs = await writeDocsDriver();
    const path = join(docs.folder, "report.html");
    await writeHostReport(path, name, docs.driver);
    await page.goto(pathToFileURL(path).href);
  });
  afterAll(() => rm(docs.folder, { recursive: true, force: true }));

  test("has its frames between user and host, and between host and agent", async () => {
    const one = page.locator(`details[id="${name}"]`);
    await one.locator("> summary").click();
    const heads = one.locator(".sequence .head");
    expect(await heads.allTextContents()).toEqual(["User", "Host", "Agent"]);
    const host = await box(heads.nth(1));
    const middle = host.x + host.width / 2;
    const line = (words: string) => box(one.locator(".arrow summary", { hasText: words }).first());
    const open = await line("open #");
    expect(open.x + open.width).toBeLessThanOrEqual(middle + 2);
    const initialize = await line("initialize #");
    expect(initialize.x).toBeGreaterThanOrEqual(middle - 2);
  });
});
