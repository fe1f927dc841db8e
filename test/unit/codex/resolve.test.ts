import { describe, expect, it } from "vitest";
import { CodexNotFoundError, type ResolveHost, resolveCodex, systemHost } from "../../../src/codex/resolve.js";

interface Machine {
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly env?: Record<string, string>;
  readonly files?: readonly string[];
  /** Name of a package, or name and the folder it is seen from, to its folder. */
  readonly packages?: Record<string, string>;
}

function host(machine: Machine): ResolveHost {
  const { packages = {}, files = [] } = machine;
  return {
    platform: machine.platform ?? "linux",
    arch: machine.arch ?? "x64",
    env: machine.env ?? {},
    execPath: "/node",
    isFile: (path) => files.includes(path),
    packageFolder: (name, from) => packages[from === undefined ? name : `${name} from ${from}`] ?? null,
  };
}

const found: readonly { readonly name: string; readonly machine: Machine; readonly want: object }[] = [
  {
    name: "CODEX_PATH before everything else",
    machine: {
      env: { CODEX_PATH: "/my/codex", PATH: "/bin" },
      files: ["/my/codex", "/bin/codex", "/p/vendor/x86_64-unknown-linux-musl/bin/codex"],
      packages: { "@openai/codex-linux-x64": "/p" },
    },
    want: { command: "/my/codex", args: [], origin: "CODEX_PATH" },
  },
  {
    name: "a script in CODEX_PATH through Node",
    machine: { env: { CODEX_PATH: "fake/codex.mjs" }, files: ["fake/codex.mjs"] },
    want: { command: "/node", args: ["fake/codex.mjs"], origin: "CODEX_PATH" },
  },
  {
    name: "a command name in CODEX_PATH",
    machine: { env: { CODEX_PATH: "codex-next", PATH: "/a:/b" }, files: ["/b/codex-next"] },
    want: { command: "/b/codex-next", args: [], origin: "CODEX_PATH" },
  },
  {
    name: "an empty CODEX_PATH as none",
    machine: { env: { CODEX_PATH: "", PATH: "/bin" }, files: ["/bin/codex"] },
    want: { command: "/bin/codex", args: [], origin: "PATH" },
  },
  {
    name: "the native binary before its launcher and PATH",
    machine: {
      env: { PATH: "/bin" },
      files: ["/c/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", "/c/codex/bin/codex.js", "/bin/codex"],
      packages: { "@openai/codex": "/c/codex", "@openai/codex-linux-x64 from /c/codex": "/c/codex-linux-x64" },
    },
    want: {
      command: "/c/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
      args: [],
      origin: "platform-package",
    },
  },
  {
    name: "the native binary on an arm Mac",
    machine: {
      platform: "darwin",
      arch: "arm64",
      files: ["/c/vendor/aarch64-apple-darwin/bin/codex"],
      packages: { "@openai/codex-darwin-arm64": "/c" },
    },
    want: { command: "/c/vendor/aarch64-apple-darwin/bin/codex", args: [], origin: "platform-package" },
  },
  {
    name: "the native binary on Windows, in a folder with a space and an ampersand",
    machine: {
      platform: "win32",
      files: ["C:\\A & B\\vendor\\x86_64-pc-windows-msvc\\bin\\codex.exe"],
      packages: { "@openai/codex-win32-x64": "C:\\A & B" },
    },
    want: {
      command: "C:\\A & B\\vendor\\x86_64-pc-windows-msvc\\bin\\codex.exe",
      args: [],
      origin: "platform-package",
    },
  },
  {
    name: "the launcher where the native package is missing",
    machine: { files: ["/c/codex/bin/codex.js"], packages: { "@openai/codex": "/c/codex" } },
    want: { command: "/node", args: ["/c/codex/bin/codex.js"], origin: "npm-launcher" },
  },
  {
    name: "codex.cmd on a Windows Path, in the order of PATHEXT",
    machine: {
      platform: "win32",
      env: { Path: 'C:\\none;"C:\\A & B"', PATHEXT: ".EXE;.CMD" },
      files: ["C:\\A & B\\codex.CMD"],
    },
    want: { command: "C:\\A & B\\codex.CMD", args: [], origin: "PATH" },
  },
  {
    name: "codex.exe on a Windows Path without PATHEXT",
    machine: { platform: "win32", env: { PATH: "C:\\bin" }, files: ["C:\\bin\\codex.EXE"] },
    want: { command: "C:\\bin\\codex.EXE", args: [], origin: "PATH" },
  },
  {
    name: "a full name on a Windows Path",
    machine: { platform: "win32", env: { CODEX_PATH: "next.cmd", PATH: "C:\\bin" }, files: ["C:\\bin\\next.cmd"] },
    want: { command: "C:\\bin\\next.cmd", args: [], origin: "CODEX_PATH" },
  },
];

describe("resolveCodex", () => {
  it.each(found)("takes $name", ({ machine, want }) => expect(resolveCodex(host(machine))).toEqual(want));

  it.each([
    {
      name: "a CODEX_PATH that is missing, whatever else is there",
      machine: { env: { CODEX_PATH: "/no/codex", PATH: "/bin" }, files: ["/bin/codex"] },
      tried: ["CODEX_PATH=/no/codex"],
    },
    {
      name: "a Windows path that is missing",
      machine: { platform: "win32" as const, env: { CODEX_PATH: "C:\\no\\codex.exe", PATH: "C:\\no" } },
      tried: ["CODEX_PATH=C:\\no\\codex.exe"],
    },
    {
      name: "nothing installed",
      machine: { env: { PATH: "/bin" } },
      tried: ["the package @openai/codex-linux-x64", "the package @openai/codex", "codex on PATH"],
    },
    {
      name: "a broken package",
      machine: { packages: { "@openai/codex": "/c", "@openai/codex-linux-x64": "/p" } },
      tried: ["/p/vendor/x86_64-unknown-linux-musl/bin/codex", "/c/bin/codex.js", "codex on PATH"],
    },
    {
      name: "a platform that Codex does not know",
      machine: { platform: "freebsd" as const },
      tried: ["a native Codex for freebsd x64: there is none", "the package @openai/codex", "codex on PATH"],
    },
  ])("names what was tried: $name", ({ machine, tried }) => {
    let error: unknown;
    try {
      resolveCodex(host(machine));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(CodexNotFoundError);
    expect(error).toMatchObject({ tried });
    expect((error as Error).message).toContain(tried.join("; "));
    expect((error as Error).message).toContain("CODEX_PATH");
  });

  it("finds the native binary of the installed package on this machine", () => {
    const launch = resolveCodex(systemHost({ PATH: "" }));
    expect(launch.origin).toBe("platform-package");
    expect(systemHost().isFile(launch.command)).toBe(true);
  });
});
