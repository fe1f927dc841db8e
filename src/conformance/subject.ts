import type { Wire } from "../testing/frames.js";
import type { Agent } from "./ground.js";
import { type Scene, until, within } from "./scene.js";

const endMs = 5_000;

/** Puts the lines of what was started into the log, as what is under test says on `wire`; and its end. */
export function listen(scene: Scene, subject: Agent, wire: Wire, name: string): void {
  const { log, tested } = scene.timeline;
  subject.onLine((line) => {
    let frame: unknown = line;
    try {
      frame = JSON.parse(line);
    } catch {
      // The checker blames the sender for a line that is no object.
    }
    log.add(wire, tested, frame);
  });
  const over = (how: string): void => {
    scene.ended = how;
    log.note(`the ${name} is gone: ${how}`);
  };
  subject.ended.then(
    (how) => over(String(how)),
    (error: unknown) => over(error instanceof Error ? error.message : String(error)),
  );
}

/** Sends it away, and awaits its end for a while. */
export async function sendAway(scene: Scene, subject: Agent): Promise<void> {
  subject.closeInput();
  await until(within(scene, endMs), () => scene.ended ?? undefined);
}
