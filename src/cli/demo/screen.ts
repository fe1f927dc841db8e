/** Lines of its own for some text, streams for other: a stream keeps its line open until another owner writes. */
export class Screen {
  readonly #write: (text: string) => void;
  #owner: string | undefined;
  #atLineStart = true;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  line(text: string): void {
    this.#own(undefined, "");
    this.#write(`${text}\n`);
  }

  /**
   * A piece of the stream `owner`; `heading` goes before its first piece, `margin` before each line, `format` over text.
   */
  stream(
    owner: string,
    text: string,
    look: { readonly heading?: string; readonly margin?: string; readonly format: (text: string) => string },
  ): void {
    this.#own(owner, look.heading ?? "");
    for (const piece of text.split(/(?<=\n)/)) {
      if (piece === "") continue;
      if (this.#atLineStart) this.#write(look.margin ?? "");
      this.#atLineStart = piece.endsWith("\n");
      this.#write(this.#atLineStart ? `${look.format(piece.slice(0, -1))}\n` : look.format(piece));
    }
  }

  #own(owner: string | undefined, heading: string): void {
    if (owner !== undefined && this.#owner === owner) return;
    if (!this.#atLineStart) this.#write("\n");
    this.#owner = owner;
    this.#atLineStart = heading === "";
    this.#write(heading);
  }
}
