const builtIns = [Object, Array, Function, String, Number, Boolean, Map, Set, Promise, Error].map((it) => it.prototype);

const membersOf = (): string => JSON.stringify(builtIns.map((it) => Reflect.ownKeys(it).map(String)));

const before = membersOf();

/** Throws when something has written to what every object inherits. */
export function assertUnpolluted(): void {
  if (membersOf() !== before) throw new Error("a prototype was polluted");
}

/** Runs `read` on what it may refuse in its own way only. */
export function mayRefuse<T>(read: () => T, refusal: (error: unknown) => boolean): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!refusal(error)) throw error;
    return undefined;
  }
}
