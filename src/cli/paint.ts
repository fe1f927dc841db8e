import { styleText } from "node:util";

type Format = Extract<Parameters<typeof styleText>[0], string>;

/** Colours text for a stream; plain where the stream is no terminal or `NO_COLOR` is set. */
export type Paint = (format: Format | readonly Format[], text: string) => string;

export function paintFor(stream: NodeJS.WriteStream): Paint {
  const colours = process.env["NO_COLOR"] ? false : stream.isTTY && stream.hasColors();
  return (format, text) => {
    if (!colours) return text;
    return [format].flat().reduce((painted: string, one) => styleText(one, painted), text);
  };
}
