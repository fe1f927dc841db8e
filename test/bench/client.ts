import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { family, type Usage, usageOf } from "./usage.js";

export interface Update {
  readonly sessionUpdate: string;
  readonly state?: string;
  readonly content?: { readonly text?: string };
  readonly data?: string;
  /** Where version 1 has what a command printed. */
  readonly _meta?: { readonly terminal_output?: { readonly data: string } };
}

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly update?: Update };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What was read between a request and the last end marker. */
export interface Bulk {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly bytes: number;
  readonly messages: readonly Message[];
}

export interface ClientOptions {
  readonly command: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly isCodex: (commandLine: string) => boolean;
  /** Of ACP; default 2. */
  readonly version?: 1 | 2;
}

const now = (): number => performance.now();
/** How long an agent has to go once its input has ended, in ms. */
const grace = 3_000;

/** A host that costs little: it reads lines as JSON, or, while a bulk runs, only looks for the bytes of its end. */
export class Client {
  readonly startedAt = now();
  readonly #child: ChildProcess;
  readonly #options: ClientOptions;
  readonly #waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  #failed: ((error: Error) => void) | null = null;
  #lastId = 0;
  #rest = "";
  #errors = "";
  #bulk: ((chunk: Buffer) => void) | null = null;
  /** Each update with the time at which its bytes came, on the machine's monotonic clock. */
  onUpdate: (update: Update, sessionId: string, at: bigint) => void = () => undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    const [command, ...args] = options.command;
    this.#child = spawn(command, args, { stdio: "pipe", env: { ...process.env, ...options.env }, cwd: options.cwd });
    this.#child.stderr?.on("data", (text) => {
      this.#errors = (this.#errors + String(text)).slice(-2_000);
    });
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stdout?.on("data", (chunk: Buffer) => (this.#bulk ? this.#bulk(chunk) : this.#read(chunk)));
    this.#child.on("error", (error) => this.#fail(error));
    this.#child.on("exit", (code, signal) =>
      this.#fail(new Error(`the agent ended (${code ?? signal}): ${this.#errors}`)),
    );
  }

  get version(): 1 | 2 {
    return this.#options.version ?? 2;
  }

  usage(): Usage {
    return usageOf(this.#child.pid ?? 0, this.#options.isCodex);
  }

  request<Result>(method: string, params: object): Promise<Result> {
    return new Promise((resolve, reject) => this.#waiting.set(this.#send(method, params), { resolve, reject }));
  }

  notify(method: string, params: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  initialize(): Promise<unknown> {
    if (this.version === 2) {
      return this.request("initialize", {
        protocolVersion: 2,
        info: { name: "bench", version: "0" },
        capabilities: {},
      });
    }
    // So that the output of a command streams as it does in draft v2.
    return this.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { _meta: { terminal_output: true } },
    });
  }

  async newSession(): Promise<string> {
    const params = { cwd: this.#options.cwd, mcpServers: [] };
    return (await this.request<{ sessionId: string }>("session/new", params)).sessionId;
  }

  /** Resolves when the turn is over. */
  async prompt(sessionId: string, text: string): Promise<void> {
    if (this.version === 1) {
      await this.request("session/prompt", promptParams(sessionId, text));
      return;
    }
    const before = this.onUpdate;
    const idle = new Promise<void>((resolve) => {
      this.onUpdate = (update, id, at) => {
        before(update, id, at);
        if (id === sessionId && update.sessionUpdate === "state_update" && update.state === "idle") resolve();
      };
    });
    await this.request("session/prompt", promptParams(sessionId, text));
    await idle;
    this.onUpdate = before;
  }

  /** Sends requests and stores what comes until `marker` was seen `count` times; what is read is parsed afterwards. */
  async bulk(
    requests: readonly (readonly [method: string, params: object])[],
    marker: string,
    count: number,
  ): Promise<Bulk> {
    const chunks: Buffer[] = [];
    const bytes = Buffer.from(marker);
    let left = count;
    let tail = Buffer.alloc(0);
    const startedAt = now();
    await new Promise<void>((resolve, reject) => {
      this.#failed = reject;
      this.#bulk = (chunk) => {
        chunks.push(chunk);
        const seam = Buffer.concat([tail, chunk]);
        for (let at = seam.indexOf(bytes); at >= 0; at = seam.indexOf(bytes, at + 1)) left--;
        tail = Buffer.from(seam.subarray(Math.max(0, seam.length - bytes.length + 1)));
        if (left <= 0) resolve();
      };
      for (const [method, params] of requests) this.#send(method, params);
    }).finally(() => {
      this.#bulk = null;
      this.#failed = null;
    });
    const endedAt = now();
    const all = Buffer.concat(chunks);
    const messages = all
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    return { startedAt, endedAt, bytes: all.length, messages: messages.map((line) => JSON.parse(line)) };
  }

  /** Stops reading for `ms`; resolves with what the agent uses at the end of it. */
  async stall(ms: number): Promise<Usage> {
    this.#child.stdout?.pause();
    await new Promise((resolve) => setTimeout(resolve, ms));
    const usage = this.usage();
    this.#child.stdout?.resume();
    return usage;
  }

  /** Ends the agent by the end of its input, and whatever of it is left after that by force. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const all = process.platform === "linux" ? family(pid) : [pid];
    const gone = once(this.#child, "exit");
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), grace);
    await gone;
    clearTimeout(timer);
    for (const it of all.slice(1)) killIfAlive(it);
  }

  #send(method: string, params: object): number {
    const id = ++this.#lastId;
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return id;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#failed?.(error);
  }

  #read(chunk: Buffer): void {
    const at = process.hrtime.bigint();
    const lines = (this.#rest + chunk.toString("utf8")).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") this.#take(JSON.parse(line), at);
  }

  #take(message: Message, at: bigint): void {
    if (message.method === undefined && message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.result as never);
      else waiting?.reject(new Error(JSON.stringify(message.error)));
    } else if (message.method === "session/update" && message.params?.update) {
      this.onUpdate(message.params.update, message.params.sessionId, at);
    }
  }
}

export const promptParams = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: "text", text }] });

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
