import type { CodexTransport } from "../codex/transport.js";
import type { FrameLog } from "./frames.js";

/** `transport` with every frame of both directions in `log`: for a real Codex, whose frames no script puts there. */
export const loggedTransport = (transport: CodexTransport, log: FrameLog): CodexTransport => ({
  send(frame) {
    log.add("codex", "bridge", frame);
    transport.send(frame);
  },
  start(sink) {
    transport.start({
      ...sink,
      frame(frame, text) {
        log.add("codex", "codex", frame);
        sink.frame(frame, text);
      },
      batchEnd: () => sink.batchEnd(),
      unreadable: (line) => sink.unreadable(line),
      closed(exit) {
        log.note(`codex is gone: ${exit.signal ?? exit.code}`);
        sink.closed(exit);
      },
    });
  },
  pause: () => transport.pause(),
  resume: () => transport.resume(),
  stop: () => transport.stop(),
});
