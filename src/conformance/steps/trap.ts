import { createServer } from "node:http";
import { CaseFault } from "../outcome.js";
import type { Stage } from "../stage.js";
import type { TrapStep } from "../step-format.js";

/** A server on the loopback interface that nobody may call. */
export interface Trap {
  readonly name: string;
  /** What was asked of it, as `GET /a.png`. */
  readonly calls: readonly string[];
}

type Trapping = Pick<Stage, "timeline" | "bindings" | "traps" | "cleanups">;

export async function trap(stage: Trapping, { trap: name }: TrapStep): Promise<void> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    calls.push(call);
    stage.timeline.log.note(`somebody calls ${name}: ${call}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the trap has no port");
  stage.bindings[name] = { url: `http://127.0.0.1:${address.port}` };
  stage.traps.push({ name, calls });
  stage.cleanups.push(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
}

/** Throws when somebody called a trap. */
export function judgeTraps({ traps }: Pick<Stage, "traps">): void {
  for (const { name, calls } of traps) {
    const [call] = calls;
    if (call !== undefined) throw new CaseFault({ message: `the agent called ${name}, which it must not: ${call}` });
  }
}
