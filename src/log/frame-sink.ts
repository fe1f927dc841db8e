import { getStreamFileSink } from "@logtape/file";
import type { LogRecord } from "@logtape/logtape";
import { redactByField } from "@logtape/redaction";
import { redactConfigEdits, redactedValue, secretPatterns } from "./secret-fields.js";
import { createSecretMemory } from "./secret-memory.js";

/** One line of the log. */
export interface LogLine {
  readonly time: string;
  readonly [member: string]: unknown;
}

export interface FrameSink {
  write(line: LogLine): void;
  close(): Promise<void>;
}

/** A JSON-lines file behind LogTape's redaction. The file is written in the background, in order. */
export function createFrameSink(path: string): FrameSink {
  const secrets = createSecretMemory();
  const file = getStreamFileSink(path, {
    formatter: (record) => `${secrets.takeOut(JSON.stringify(record.properties))}\n`,
  });
  const redacted = redactByField(file, {
    fieldPatterns: [...secretPatterns],
    action(value: unknown) {
      secrets.remember(value);
      return redactedValue(value);
    },
    // The library's own bounds would cut long histories; nesting is bounded, as a stack is.
    maxDepth: 500,
    maxProperties: Number.MAX_SAFE_INTEGER,
  });
  return {
    write(line) {
      const properties = "frame" in line ? { ...line, frame: redactConfigEdits(line["frame"]) } : { ...line };
      const record: LogRecord = {
        category: ["codex-acp-kit", "wire"],
        level: "debug",
        message: [],
        rawMessage: "",
        timestamp: 0,
        properties,
      };
      redacted(record);
    },
    close: async () => await file[Symbol.asyncDispose](),
  };
}
