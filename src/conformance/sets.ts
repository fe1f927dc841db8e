import { hostRequests } from "../generated/contract/methods.js";
import type { Template } from "./step-format.js";

type Row = { readonly [member: string]: Template };

const requests = Object.values(hostRequests).map(({ method }) => method);

const rowsOf = (methods: readonly string[]): readonly Row[] => methods.map((method) => ({ method }));

const gated = requests.filter((method) => method !== hostRequests.initialize.method);

/** Rows that follow from the contract's methods, so that a new method is in them at once. */
const sets: Readonly<Record<string, readonly Row[]>> = {
  /** Requests of the ACP draft, but for the one that opens the connection. */
  standardRequests: rowsOf(gated.filter((method) => !method.startsWith("_"))),
  /** Requests that begin with an underscore. */
  extensionRequests: rowsOf(gated.filter((method) => method.startsWith("_"))),
};

/** Throws when there is no such set. */
export function setNamed(name: string): readonly Row[] {
  const found = sets[name];
  if (found === undefined) throw new Error(`there is no set ${name}; there are ${Object.keys(sets).join(", ")}`);
  return found;
}
