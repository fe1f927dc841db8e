const backslash = 92;

/** Where the string ends whose opening quote is at `from`: at its closing quote; below 0 when there is none. */
export function closingQuote(text: string, from: number): number {
  // Images are long strings, so this does not look at every character.
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}
