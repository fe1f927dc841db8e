import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join as joinHere, posix, win32 } from "node:path";

/** How to start Codex: `spawn(command, [...args, "app-server"])`. */
export interface CodexLaunch {
  readonly command: string;
  /** What stands before Codex's own arguments. */
  readonly args: readonly string[];
  readonly origin: "CODEX_PATH" | "platform-package" | "npm-launcher" | "PATH";
}

/** What resolving looks at; tests put other platforms in its place. */
export interface ResolveHost {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The running Node. */
  readonly execPath: string;
  isFile(path: string): boolean;
  /** Folder of the installed package `name`, seen from the package in folder `from`, or from ours. */
  packageFolder(name: string, from?: string): string | null;
}

/** No Codex anywhere. The message names every place that was tried and says what to do. */
export class CodexNotFoundError extends Error {
  override readonly name = "CodexNotFoundError";
  readonly tried: readonly string[];

  constructor(tried: readonly string[], advice: string) {
    super(`Codex was not found. Tried: ${tried.join("; ")}. ${advice}`);
    this.tried = tried;
  }
}

const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
};

/**
 * Which Codex to run: `CODEX_PATH`, a file or a command name; else the native binary of the installed `@openai/codex`,
 * which starts faster than its launcher; else that launcher; else `codex` on `PATH`. No shell is involved (K-22).
 *
 * @throws {CodexNotFoundError} A set but wrong `CODEX_PATH` falls back to nothing else.
 */
export function resolveCodex(host: ResolveHost = systemHost()): CodexLaunch {
  const wanted = host.env["CODEX_PATH"];
  if (wanted !== undefined && wanted !== "") return fromCodexPath(host, wanted);
  const tried: string[] = [];
  return (
    fromPlatformPackage(host, tried) ??
    fromLauncher(host, tried) ??
    fromPath(host, "codex", "PATH", tried) ??
    fail(tried, "Install it with `npm install -g @openai/codex`, or set CODEX_PATH to the codex executable.")
  );
}

function fail(tried: readonly string[], advice: string): never {
  throw new CodexNotFoundError(tried, advice);
}

const pathsOf = (host: ResolveHost): typeof posix => (host.platform === "win32" ? win32 : posix);

/** A JavaScript file needs Node; anything else the system, or cross-spawn for a `.cmd`, can start itself. */
const launch = (host: ResolveHost, file: string, origin: CodexLaunch["origin"]): CodexLaunch =>
  /\.[cm]?js$/i.test(file) ? { command: host.execPath, args: [file], origin } : { command: file, args: [], origin };

function fromCodexPath(host: ResolveHost, wanted: string): CodexLaunch {
  const tried: string[] = [];
  if (host.isFile(wanted)) return launch(host, wanted, "CODEX_PATH");
  tried.push(`CODEX_PATH=${wanted}`);
  const isName = !wanted.includes("/") && !(host.platform === "win32" && /[\\:]/.test(wanted));
  const found = isName ? fromPath(host, wanted, "CODEX_PATH", tried) : null;
  return (
    found ?? fail(tried, "Set CODEX_PATH to the codex executable, or unset it to use the installed @openai/codex.")
  );
}

function fromPlatformPackage(host: ResolveHost, tried: string[]): CodexLaunch | null {
  const platform = host.platform === "android" ? "linux" : host.platform;
  const target = TARGETS[`${platform}-${host.arch}`];
  if (target === undefined) {
    tried.push(`a native Codex for ${host.platform} ${host.arch}: there is none`);
    return null;
  }
  const name = `@openai/codex-${platform}-${host.arch}`;
  const main = host.packageFolder("@openai/codex");
  const folder = (main === null ? null : host.packageFolder(name, main)) ?? host.packageFolder(name);
  if (folder === null) {
    tried.push(`the package ${name}`);
    return null;
  }
  const executable = platform === "win32" ? "codex.exe" : "codex";
  return fileOf(host, pathsOf(host).join(folder, "vendor", target, "bin", executable), "platform-package", tried);
}

function fromLauncher(host: ResolveHost, tried: string[]): CodexLaunch | null {
  const folder = host.packageFolder("@openai/codex");
  if (folder === null) {
    tried.push("the package @openai/codex");
    return null;
  }
  return fileOf(host, pathsOf(host).join(folder, "bin", "codex.js"), "npm-launcher", tried);
}

function fileOf(host: ResolveHost, file: string, origin: CodexLaunch["origin"], tried: string[]): CodexLaunch | null {
  if (host.isFile(file)) return launch(host, file, origin);
  tried.push(file);
  return null;
}

function fromPath(host: ResolveHost, name: string, origin: CodexLaunch["origin"], tried: string[]): CodexLaunch | null {
  const windows = host.platform === "win32";
  const variable = (wanted: string): string | undefined => {
    const key = windows ? Object.keys(host.env).find((key) => key.toUpperCase() === wanted) : wanted;
    return key === undefined ? undefined : host.env[key];
  };
  const { delimiter, join } = pathsOf(host);
  const endings = windows
    ? (variable("PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "")
    : [""];
  const candidates = windows && /\.[^.]+$/.test(name) ? ["", ...endings] : endings;
  for (const entry of (variable("PATH") ?? "").split(delimiter)) {
    const folder = windows ? entry.replaceAll('"', "") : entry;
    if (folder === "") continue;
    for (const ending of candidates) {
      const file = join(folder, name + ending);
      if (host.isFile(file)) return launch(host, file, origin);
    }
  }
  tried.push(`${name} on PATH`);
  return null;
}

/** This machine. */
export function systemHost(env: Readonly<Record<string, string | undefined>> = process.env): ResolveHost {
  return {
    platform: process.platform,
    arch: process.arch,
    env,
    execPath: process.execPath,
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
    packageFolder(name, from) {
      const require = createRequire(from === undefined ? import.meta.url : joinHere(from, "package.json"));
      try {
        return dirname(require.resolve(`${name}/package.json`));
      } catch {
        // Not installed: the caller names it among what was tried.
        return null;
      }
    },
  };
}
