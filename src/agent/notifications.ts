import type { NotificationFrame } from "../codex/connection.js";
import {
  forwards,
  type ProcessNotifications,
  processNotifications,
  type ThreadNotifications,
  threadNotifications,
} from "../generated/codex/dispatch.js";
import type {
  AccountLoginCompletedNotification,
  FuzzyFileSearchSessionCompletedNotification,
  FuzzyFileSearchSessionUpdatedNotification,
  ThreadSettings,
} from "../generated/codex/types.js";
import { agentNotifications } from "../generated/contract/methods.js";
import type { HostService } from "../policy/services.js";
import { mcpStartupFailed } from "../projection/mcp-startup.js";
import { notice, standardNotice } from "../projection/notice.js";
import type { Update } from "../projection/update.js";
import { keepText, type NotificationDescriptor } from "../runtime/index.js";
import type { SessionRegistry } from "../session/registry.js";
import type { Session } from "../session/session.js";
import type { NotificationEvent } from "../session/turn/events.js";
import { createFileSearches } from "./file-searches.js";

export interface NotificationTargets {
  readonly sessions: SessionRegistry;
  readonly host: HostService;
  accountChanged(): void;
  skillsChanged(): void;
  settingsChanged(threadId: string, settings: ThreadSettings): void;
  loginCompleted(params: AccountLoginCompletedNotification): void;
  /** Codex took one of its requests back. */
  requestResolved(id: number | string): void;
  newId(): string;
  /** What nobody expects, for the log. */
  unexpected(where: string, error: unknown): void;
}

type ProcessHandlers = { readonly [Key in keyof ProcessNotifications]: (params: ProcessNotifications[Key]) => void };

/** Gives each notification of Codex to whom it concerns: a session, the process's own policy, or the host as it is. */
export function createNotificationRouter(targets: NotificationTargets) {
  const { sessions, host } = targets;
  /** Said before there was a session to say it in. */
  let pending: Update[] = [];

  const everywhere = (update: Update): void => {
    const all = [...sessions.all()];
    if (all.length === 0) pending.push(update);
    for (const session of all) session.outbox.push(update);
  };

  /** Codex may speak of a thread before its session is there. */
  const inSession = (threadId: string, update: Update): void => {
    const session = sessions.route(threadId);
    if (session) session.outbox.push(update);
    else sessions.keep(threadId, (opened) => opened?.outbox.push(update));
  };

  const searches = createFileSearches(sessions, targets.newId);

  const handlers: ProcessHandlers = {
    threadStarted: () => undefined,
    skillsChanged() {
      // One signal for hosts with catalogs of their own; the sessions' commands follow their own rules (PASS-11).
      host.notify(agentNotifications.codexSkillsChanged, {});
      targets.skillsChanged();
    },
    mcpServerStartupStatusUpdated(params) {
      if (params.status !== "failed" || params.threadId == null) return;
      inSession(params.threadId, mcpStartupFailed(`mcp-startup-${targets.newId()}`, params));
    },
    accountUpdated: () => targets.accountChanged(),
    accountLoginCompleted: (params) => targets.loginCompleted(params),
    warning({ message, threadId }) {
      const update = notice(`warning-${targets.newId()}`, message);
      if (threadId == null) everywhere(update);
      else inSession(threadId, update);
    },
    deprecationNotice: ({ summary, details }) => everywhere(standardNotice("warning", summary, details)),
    configWarning: ({ summary, details }) => everywhere(standardNotice("warning", summary, details)),
  };

  const toProcess = <Key extends keyof ProcessNotifications>(key: Key, params: ProcessNotifications[Key]): void =>
    handlers[key](params);

  /** A function of its own, so that a delta pays for no closure. */
  const keep = (threadId: string, event: NotificationEvent): boolean =>
    sessions.keep(threadId, (opened) => opened?.dispatch(event));

  return {
    /** Codex's own schema vouches for the params; they are not validated on the way of every delta. */
    route({ method, params, text }: NotificationFrame): void {
      const thread = threadNotifications.get(method);
      if (thread !== undefined) {
        const about = params as ThreadNotifications[keyof ThreadNotifications];
        if (thread === "serverRequestResolved") {
          targets.requestResolved((params as ThreadNotifications["serverRequestResolved"]).requestId);
        }
        if (thread === "threadSettingsUpdated") {
          targets.settingsChanged(
            about.threadId,
            (params as ThreadNotifications["threadSettingsUpdated"]).threadSettings,
          );
        }
        if (thread === "guardianWarning") {
          const { message, threadId } = params as ThreadNotifications["guardianWarning"];
          inSession(threadId, notice(`warning-${targets.newId()}`, message));
        }
        const event = { type: "notification", key: thread, params: about } as NotificationEvent;
        const session = sessions.route(about.threadId);
        if (session) session.dispatch(event);
        else keep(about.threadId, event);
        return;
      }
      const process = processNotifications.get(method);
      if (process !== undefined) {
        toProcess(process, params as ProcessNotifications[typeof process]);
        return;
      }
      const forward = forwards.get(method);
      if (forward !== undefined) {
        // Verbatim: whatever Codex said is what the host is told (PASS-15, PASS-16).
        if (text !== undefined) keepText({ params }, "params", text);
        const descriptor: NotificationDescriptor<unknown> = agentNotifications[
          forward
        ] as NotificationDescriptor<unknown>;
        host.notify(descriptor, params);
        if (forward === "codexFuzzyFileSearchUpdated") {
          searches.updated(params as FuzzyFileSearchSessionUpdatedNotification);
        }
        if (forward === "codexFuzzyFileSearchCompleted") {
          searches.completed(params as FuzzyFileSearchSessionCompletedNotification);
        }
      }
    },
    /** Codex is gone: nobody searches any more, and every session hears of it. */
    lost(reason: string): void {
      searches.lost();
      for (const session of sessions.all()) {
        try {
          session.dispatch({ type: "codexLost", reason });
        } catch (error) {
          // What Codex said off its schema may only now be in the way; the other sessions still have to hear.
          targets.unexpected("at Codex's end", error);
        }
      }
    },
    /** A session opened: it hears what had nobody to hear it. */
    opened(session: Session): void {
      const waiting = pending;
      pending = [];
      for (const update of waiting) session.outbox.push(update);
    },
  };
}
