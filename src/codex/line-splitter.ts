import { StringDecoder } from "node:string_decoder";

export interface LineSplitterOptions {
  /** Longest line, in bytes without its end. */
  readonly maxBytes: number;
  /** A line without its `\n` or `\r\n`. Empty lines are left out. Invalid UTF-8 comes as U+FFFD. */
  line(text: string): void;
  /** A line of `bytes` bytes was longer than `maxBytes` and has been dropped; reading goes on after it. */
  tooLong(bytes: number): void;
}

export interface LineSplitter {
  /** Hands on every line that ends in `chunk`. */
  push(chunk: Buffer): void;
  /** The stream is over: what stands after the last line end is a line too. */
  end(): void;
}

/**
 * Cuts a byte stream into lines, whatever the borders of its chunks, in time linear in its length: a chunk is decoded
 * once, an unfinished line is kept as a rope that nothing scans again.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { maxBytes } = options;
  const decoder = new StringDecoder("utf8");
  let rest = "";
  /** Bytes of the unfinished line, of which `rest` is the text unless `skipping`. */
  let restBytes = 0;
  let skipping = false;

  const emit = (text: string): void => {
    const end = text.length - 1;
    if (text.charCodeAt(end) !== 13) options.line(text);
    else if (end > 0) options.line(text.slice(0, end));
  };

  const skip = (bytes: number): void => {
    rest = "";
    decoder.end();
    skipping = true;
    restBytes += bytes;
  };

  /** A chunk in which a line could pass the limit: measured line by line, in bytes. */
  const pushMeasured = (chunk: Buffer): void => {
    let from = 0;
    for (let nl = chunk.indexOf(10); nl >= 0; nl = chunk.indexOf(10, from)) {
      const bytes = restBytes + nl - from;
      if (skipping || bytes > maxBytes) {
        skip(nl - from);
        options.tooLong(restBytes);
      } else {
        const text = rest + decoder.write(chunk.subarray(from, nl + 1));
        rest = "";
        if (text.length > 1) emit(text.slice(0, -1));
      }
      skipping = false;
      restBytes = 0;
      from = nl + 1;
    }
    const left = chunk.length - from;
    if (skipping || restBytes + left > maxBytes) skip(left);
    else {
      rest += decoder.write(from === 0 ? chunk : chunk.subarray(from));
      restBytes += left;
    }
  };

  return {
    push(chunk) {
      if (skipping || restBytes + chunk.length > maxBytes) {
        pushMeasured(chunk);
        return;
      }
      const text = decoder.write(chunk);
      let nl = text.indexOf("\n");
      if (nl < 0) {
        rest += text;
        restBytes += chunk.length;
        return;
      }
      let from = 0;
      if (rest !== "") {
        const first = rest + text.slice(0, nl);
        rest = "";
        emit(first);
        from = nl + 1;
        nl = text.indexOf("\n", from);
      }
      while (nl >= 0) {
        if (nl > from) emit(text.slice(from, nl));
        from = nl + 1;
        nl = text.indexOf("\n", from);
      }
      rest = text.slice(from);
      restBytes = chunk.length - 1 - chunk.lastIndexOf(10);
    },
    end() {
      const text = rest + decoder.end();
      rest = "";
      if (skipping) options.tooLong(restBytes);
      else if (text !== "") emit(text);
      skipping = false;
      restBytes = 0;
    },
  };
}
