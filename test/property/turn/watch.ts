import type { Update } from "../../../src/projection/update.js";

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const fail = (rule: string, update: unknown): never => {
  throw new Error(`${rule}: ${JSON.stringify(update)}`);
};

/** What may be said while no turn runs. */
const betweenTurns: ReadonlySet<string> = new Set([
  "user_message",
  "available_commands_update",
  "config_option_update",
  "session_info_update",
  "usage_update",
  "state_update",
  "terminal_update",
  "terminal_output_chunk",
]);

/** Holds one session's updates to the rules that no interleaving may break. Throws at the first that does. */
export class Watch {
  closed = false;
  /** A turn is told to be going on. */
  active = false;
  state = "idle";
  /** Terminal idles so far, by owner; a turn without one counts under null. */
  readonly idles: { readonly owner: string | null; readonly stopReason: string }[] = [];
  private owner: string | null = null;
  private background = "[]";
  private readonly tools = new Map<string, "open" | "settled">();
  private readonly terminals = new Map<string, "open" | "ended">();

  see(update: Update): void {
    if (this.closed) fail("nothing after close", update);
    const kind = update.sessionUpdate;
    // A notice is of no turn: it may come whenever there is something to say.
    const notice = record(record(update._meta)["codex"])["notice"] === true;
    if (!this.active && !notice && !betweenTurns.has(kind)) fail("nothing of a turn after its idle", update);
    if (update.sessionUpdate === "tool_call_update") this.tool(record(update));
    if (update.sessionUpdate === "terminal_update" || update.sessionUpdate === "terminal_output_chunk") {
      this.terminal(record(update));
    }
    if (update.sessionUpdate === "state_update") this.stateFrame(record(update));
  }

  /** Terminals that have not ended. */
  get openTerminals(): string[] {
    return [...this.terminals].flatMap(([id, status]) => (status === "open" ? [id] : []));
  }

  private tool(update: Record<string, unknown>): void {
    const id = String(update["toolCallId"]);
    const known = this.tools.get(id);
    if (known === undefined && update["name"] === undefined) fail("a call is announced before it is patched", update);
    if (known !== undefined && update["name"] !== undefined) fail("a call is announced once", update);
    if (known === "settled") fail("nothing of a call after its end", update);
    const ended = ["completed", "failed", "cancelled"].includes(String(update["status"]));
    this.tools.set(id, ended ? "settled" : "open");
  }

  private terminal(update: Record<string, unknown>): void {
    const id = String(update["terminalId"]);
    const known = this.terminals.get(id);
    if (known === "ended") fail("nothing of a terminal after its exit", update);
    if (known === undefined && update["command"] === undefined) fail("a terminal is introduced first", update);
    if (!this.active && !this.background.includes(JSON.stringify(id))) fail("only background terminals go on", update);
    this.terminals.set(id, update["exitStatus"] === undefined ? "open" : "ended");
  }

  private stateFrame(update: Record<string, unknown>): void {
    const owner = (record(record(update["_meta"])["alwith"])["messageId"] as string | undefined) ?? null;
    const background = JSON.stringify((update["background"] as { terminalId: string }[]).map((it) => it.terminalId));
    const state = String(update["state"]);
    if (state === "idle") {
      if (update["stopReason"] === undefined) {
        if (this.active) fail("a turn ends with a reason", update);
      } else {
        if (!this.active) fail("one idle per turn", update);
        if (owner !== this.owner) fail("the idle names the owner of its turn", update);
        if (owner !== null && this.idles.some((idle) => idle.owner === owner)) fail("one idle per prompt", update);
        this.idles.push({ owner, stopReason: String(update["stopReason"]) });
        for (const [id, status] of this.tools) if (status === "open") fail(`call ${id} is settled before idle`, update);
        for (const [id, status] of this.terminals) {
          if (status === "open" && !background.includes(JSON.stringify(id)))
            fail(`terminal ${id} ended or listed`, update);
        }
        this.active = false;
      }
    } else {
      if (state === "requires_action") {
        if (!this.active) fail("only a running turn can wait for the user", update);
        if (this.state === state && background === this.background) fail("requires_action is said once", update);
      }
      this.active = true;
      this.owner = owner;
    }
    for (const id of JSON.parse(background) as string[]) {
      if (this.terminals.get(id) !== "open") fail("only open terminals are in the background", update);
    }
    this.background = background;
    this.state = state;
  }
}
