/** An option of a test script. Throws for what is no whole number from 0 on. */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < 0) {
    throw new Error(`--${name} takes a whole number from 0 on, not ${JSON.stringify(text)}`);
  }
  return value;
}
