import { requests } from "../generated/codex/methods.js";
import type { SkillMetadata } from "../generated/codex/types.js";
import type { OpenSession } from "../policy/services.js";
import { commandsOf } from "../projection/commands.js";
import type { CodexLink } from "./codex-link.js";
import { createSkillRoots } from "./skill-roots.js";

/**
 * What Codex's skills are for each session's folder. A snapshot is good until Codex says that skills changed, or the
 * process's roots are switched (CACHE-01, CACHE-02, CACHE-06).
 */
export function createSkills(link: CodexLink, sessions: () => Iterable<OpenSession>) {
  let snapshots = new Map<string, Promise<readonly SkillMetadata[]>>();
  const told = new WeakMap<OpenSession, string>();

  const roots = createSkillRoots(async (wanted) => {
    const { connection } = await link.ready();
    snapshots = new Map();
    await connection.request(requests.skillsExtraRootsSet, { extraRoots: [...wanted] });
  });

  function list(cwd: string): Promise<readonly SkillMetadata[]> {
    const known = snapshots.get(cwd);
    if (known) return known;
    const read = link.ready().then(async ({ connection }) => {
      const { data } = await connection.request(requests.skillsList, { cwds: [cwd] });
      return data.flatMap((entry) => entry.skills).filter((skill) => skill.enabled);
    });
    snapshots.set(cwd, read);
    read.catch(() => {
      if (snapshots.get(cwd) === read) snapshots.delete(cwd);
    });
    return read;
  }

  /** Sends the session its commands where they are not what it was last told (UPD-16). */
  async function announce(session: OpenSession): Promise<void> {
    const availableCommands = commandsOf(await list(session.state.cwd));
    const text = JSON.stringify(availableCommands);
    if (told.get(session) === text) return;
    told.set(session, text);
    session.outbox.push({ sessionUpdate: "available_commands_update", availableCommands });
  }

  return {
    list,
    announce,
    /** Holds the session's roots and brings its commands up to date; for as long as something starts under them. */
    async hold(session: OpenSession): Promise<() => void> {
      const release = await roots.acquire(session.skillRoots);
      try {
        await announce(session);
      } catch {
        // Commands are a convenience: a turn does not fail for want of them, and the next one tries again.
      }
      return release;
    },
    holdRoots: roots.acquire,
    /** Sessions under the current roots hear at once, the others with their next prompt (CACHE-03, CACHE-04). */
    changed(): void {
      snapshots = new Map();
      const key = JSON.stringify(roots.current);
      for (const session of sessions()) {
        if (JSON.stringify(session.skillRoots) !== key) continue;
        // The next prompt tries again.
        announce(session).catch(() => undefined);
      }
    },
    forget(): void {
      snapshots = new Map();
      roots.forget();
    },
  };
}
