import { createHash, randomUUID } from "node:crypto";
import type { CodexTransport } from "../codex/transport.js";
import { readImage } from "../files/image-file.js";
import { createReceiptStore, type ReceiptStore, receiptsInMemory } from "../files/receipts.js";
import { canonicalPath, createRollouts } from "../files/rollouts.js";
import { readText } from "../files/text-file.js";
import { passThrough } from "../generated/agent/pass-through.js";
import { createMethodTable } from "../generated/agent/registration.js";
import { agentNotifications } from "../generated/contract/methods.js";
import { connectHost, type HostConnection } from "../host/acp-connection.js";
import type { HostTransport } from "../host/transport.js";
import { authChanged } from "../policy/auth-status.js";
import { answerCommand } from "../policy/commands/answers.js";
import { askPlan, setPlanMode } from "../policy/commands/plan.js";
import { broadcastOptions, followSettings } from "../policy/config.js";
import { assemblePolicies, defaultPolicies, type Policies } from "../policy/index.js";
import { sourcesFor } from "../policy/providers/places.js";
import type { Questions } from "../policy/question.js";
import { defaultQuestions } from "../policy/questions.js";
import type { AgentSettings, HostService, OpenSession, Services } from "../policy/services.js";
import { receiptNotSaved } from "../projection/notice.js";
import { type Clock, systemClock } from "../runtime/clock.js";
import type { Caller } from "../runtime/index.js";
import { createAdmission } from "../session/admission.js";
import { createOutbox } from "../session/outbox.js";
import { createRegistry } from "../session/registry.js";
import { createSession } from "../session/session.js";
import { initialState } from "../session/turn/state.js";
import { version } from "../version.js";
import { createAccount } from "./account.js";
import { type CodexLink, createCodexLink } from "./codex-link.js";
import { createCodexService } from "./codex-service.js";
import { withoutCredentials } from "./credentials.js";
import { refuseLacking } from "./lacking.js";
import { createNotificationRouter } from "./notifications.js";
import { receiptService } from "./receipts.js";
import { createRoutingService } from "./routing.js";
import { createDesk } from "./server-requests.js";
import { settingsFromEnv } from "./settings.js";
import { createSkills } from "./skills.js";
import { createEffectRunner } from "./turn-effects.js";

export interface AgentOptions {
  /** Starts a Codex: once per host connection, and again after one was lost. May throw `CodexNotFoundError`. */
  codex(): CodexTransport;
  /** Default: what an empty environment gives. */
  readonly settings?: AgentSettings;
  /** Policy modules to put in the place of the built-in ones, by area. */
  readonly policies?: Partial<Policies>;
  /** How requests of Codex become questions to the host, in the place of the built-in ways, by key. */
  readonly questions?: Partial<Questions>;
  readonly clock?: Clock;
  /** Where the receipts of slash commands are kept; default: in memory, for as long as the agent lives. */
  readonly receipts?: ReceiptStore;
  /** Opens a web page for the user; default: refuses, so that sign-in in a browser fails with a clear error. */
  openBrowser?(url: string): Promise<void>;
  /** Makes ids nobody has used; default: random UUIDs. */
  newId?(): string;
  /** Reaches the plugin service; default: Node's own. */
  readonly fetch?: typeof fetch;
  /** Every frame of the host's side. */
  readonly onFrame?: (direction: "from-host" | "to-host", frame: unknown) => void;
  /** Something for the log that is no frame. */
  note?(text: string): void;
  /** One line for the person at the terminal. */
  warn?(line: string): void;
}

export interface Agent {
  /** Serves one host. Codex is started at once. */
  connect(transport: HostTransport): AgentConnection;
}

export interface AgentConnection {
  /** Resolves when the host is gone, Codex has ended and everything sent has been written. */
  readonly closed: Promise<void>;
  /** Ends the connection from this side: Codex and everything it started go. */
  close(): Promise<void>;
}

/** An ACP agent over Codex's app-server. `policies` swaps or adds policy modules; everything else is derived. */
export function createAgent(options: AgentOptions): Agent {
  return { connect: (transport) => connect(options, transport) };
}

function connect(options: AgentOptions, transport: HostTransport): AgentConnection {
  const clock = options.clock ?? systemClock;
  const settings = options.settings ?? settingsFromEnv({});
  const newId = options.newId ?? randomUUID;
  const { onFrame } = options;
  const note = (text: string): void => options.note?.(text);
  const unexpected = (where: string, error: unknown): void =>
    note(`Unexpected error ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const sessions = createRegistry<OpenSession>();
  const routing = createRoutingService();
  let host: HostConnection | undefined;
  let stalled = false;
  let waitingForHost: (() => void)[] = [];

  const hostService: HostService = {
    notify: (descriptor, params) => host?.notify(descriptor, params),
    request: (descriptor, params, requestOptions) =>
      host ? host.request(descriptor, params, requestOptions) : Promise.reject(new Error("no host is connected")),
    flush: () => host?.flush(),
    drained: () => (stalled ? new Promise((resolve) => waitingForHost.push(resolve)) : null),
    client: { capabilities: {}, info: null },
    greeted: false,
    authStatus: null,
  };

  const link: CodexLink = createCodexLink({
    open: () => withoutCredentials(options.codex(), routing.secrets),
    version,
    clock,
    onNotification: (notification) => router.route(notification),
    onServerRequest: (request, connection) => desk.receive(request, connection),
    onBatchEnd: () => host?.flush(),
    onReady: () => account.readAhead(),
    onLost(reason) {
      account.forget();
      skills.forget();
      desk.lost();
      router.lost(reason);
      host?.flush();
    },
    note,
    unexpected,
    warn: (line) => options.warn?.(line),
  });
  const account = createAccount(link, clock);
  const codex = createCodexService(link, account);
  const skills = createSkills(link, () => sessions.all());
  const effects = createEffectRunner({
    link,
    clock,
    catalog: (session) => sourcesFor(services, session, account.known()).own,
    holdSkills: (session) => skills.hold(session),
    holdRoots: (session) => skills.holdRoots(session.skillRoots),
    answer: (session, command) => answerCommand(services, session, command),
    askPlan: (session, toolCallId, signal) => askPlan(services, session, toolCallId, signal),
    keepReceipt: (session, receipt) => {
      services.receipts.record(receipt).catch((error: unknown) => {
        note(`A command was not saved: ${error instanceof Error ? error.message : String(error)}`);
        session.outbox.push(receiptNotSaved(receipt));
        host?.flush();
      });
    },
    leavePlanMode: (session) => background(setPlanMode(services, session, false)),
  });
  /** Work that no request waits for; what fails is for the log, as the next event of its kind tries again. */
  const background = (work: Promise<void>): void => {
    work.catch((error: unknown) =>
      note(`In the background: ${error instanceof Error ? error.message : String(error)}`),
    );
  };
  const desk = createDesk({
    host: hostService,
    questions: { ...defaultQuestions, ...options.questions },
    find: (id) => sessions.route(id),
    keep: (id, deliver) => sessions.keep(id, deliver),
    newId,
    note,
  });
  const router = createNotificationRouter({
    sessions,
    host: hostService,
    newId,
    accountChanged() {
      account.forget();
      // Models and tiers depend on the account (CACHE-12).
      for (const session of sessions.all()) background(broadcastOptions(services, session));
      background(authChanged(services));
    },
    settingsChanged(threadId, now) {
      const session = sessions.route(threadId);
      if (session) background(followSettings(services, session, now));
    },
    skillsChanged: () => skills.changed(),
    loginCompleted: codex.loginCompleted,
    requestResolved: (id) => desk.resolved(id),
    unexpected,
  });

  const services: Services = {
    host: hostService,
    sessions,
    viewing: new Set(),
    restoring: new Map(),
    admission: createAdmission(),
    routing,
    openSessions: () => [...sessions.all()].filter(({ id }) => sessions.get(id)),
    files: { readImage, readText, canonicalPath, ...createRollouts() },
    receipts: receiptService(options.receipts ?? createReceiptStore(receiptsInMemory(), ""), note),
    digest: (text) => createHash("sha256").update(text).digest("hex"),
    skills: {
      list: (cwd) => skills.list(cwd),
      announce: (session) => skills.announce(session),
      holdRoots: (roots) => skills.holdRoots(roots),
    },
    clock,
    settings,
    info: { name: "codex-acp-kit", title: "Codex", version },
    newId,
    fetch: options.fetch ?? fetch,
    openBrowser: options.openBrowser ?? (() => Promise.reject(new Error("no browser can be opened here"))),
    codex,
    createSession(id, thread) {
      const outbox = createOutbox((update) =>
        host?.notify(agentNotifications.sessionUpdate, { sessionId: id, update }),
      );
      const base = createSession({
        id,
        state: thread.adopt ? thread.adopt(initialState(thread)) : initialState(thread),
        outbox,
        run: (effect) => effects.run(effect, session),
        onDetach() {
          desk.release(session);
          for (const answer of session.answers.values()) answer.accept(null);
          session.answers.clear();
        },
      });
      const session: OpenSession = Object.assign(base, {
        settings: thread.settings,
        skillRoots: thread.skillRoots,
        toolSetRevision: thread.toolSetRevision,
        place: thread.place,
        base: thread.base,
        answers: new Map(),
        withdraw: () => desk.withdraw(session),
      });
      sessions.add(session);
      router.opened(session);
      return session;
    },
  };

  const built = { ...defaultPolicies, ...options.policies };
  const policies = assemblePolicies(built, services, (id) => sessions.get(id));
  const caller: Caller = {
    request: async (descriptor, params, requestOptions) =>
      (await link.ready()).connection.request(descriptor, params, requestOptions),
  };

  host = connectHost({
    transport,
    clock,
    name: "codex-acp-kit",
    newId,
    methods: (connected) =>
      refuseLacking(
        createMethodTable(
          policies,
          passThrough(caller, (descriptor, params) => connected.notify(descriptor, params)),
        ),
        () => link.lacking,
      ),
    stalled() {
      stalled = true;
      link.pause();
    },
    drained() {
      stalled = false;
      link.resume();
      const waiting = waitingForHost;
      waitingForHost = [];
      for (const resolve of waiting) resolve();
    },
    ...(onFrame ? { onFrame: (direction, frame) => onFrame(direction === "in" ? "from-host" : "to-host", frame) } : {}),
    ignored: (what) => note(`Ignored from the host: ${what}`),
    onUnexpected: (method, error) => unexpected(`in ${method}`, error),
  });

  const end = async (): Promise<void> => {
    effects.stop();
    desk.stop();
    await link.stop();
    await transport.end();
  };
  const closed = host.closed.then(end);
  return {
    closed,
    async close() {
      await end();
    },
  };
}
