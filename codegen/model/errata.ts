import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject, unescapePointer } from "../json.js";
import type { ErrataFile } from "./contract.js";

type Erratum = ErrataFile["errata"][number];
type Operation = Erratum["patch"][number];

/**
 * A captured file with the corrections to `source` made. The input is not changed. Throws when a correction points
 * nowhere, or changes nothing: then upstream has moved or mended it, and the entry must go.
 */
export const applyErrata = (captured: JsonObject, errata: ErrataFile, source: Erratum["source"]): JsonObject => {
  const corrected = structuredClone(captured);
  for (const erratum of errata.errata.filter((it) => it.source === source)) {
    const at = lookUp(corrected, erratum.at);
    if (!isObject(at)) throw new Error(`erratum ${erratum.id}: nothing stands at ${erratum.at}`);
    const before = structuredClone(at);
    for (const operation of erratum.patch) patch(at, operation, erratum.id);
    if (isDeepStrictEqual(at, before)) throw new Error(`erratum ${erratum.id} changes nothing: upstream is mended`);
  }
  return corrected;
};

const lookUp = (value: unknown, pointer: string): unknown =>
  steps(pointer).reduce<unknown>((node, step) => {
    if (Array.isArray(node)) return node[Number(step)];
    return isObject(node) ? node[step] : undefined;
  }, value);

const steps = (pointer: string): string[] => {
  if (pointer === "" || pointer === "#") return [];
  const text = pointer.startsWith("#") ? pointer.slice(1) : pointer;
  if (!text.startsWith("/")) throw new Error(`not a JSON pointer: ${pointer}`);
  return text.slice(1).split("/").map(unescapePointer);
};

/** JSON Patch's `add`, `replace` and `remove`, on `target` itself. */
const patch = (target: JsonObject, { op, path, value }: Operation, id: string): void => {
  const parts = steps(path);
  const last = parts.pop();
  const parent = parts.reduce<unknown>(
    (node, step) => (Array.isArray(node) ? node[Number(step)] : isObject(node) ? node[step] : undefined),
    target,
  );
  if (last === undefined) throw new Error(`erratum ${id}: a patch cannot replace the whole of ${path || '""'}`);
  if (Array.isArray(parent)) {
    patchList(parent, last, op, value, `erratum ${id}: ${path}`);
    return;
  }
  if (!isObject(parent)) throw new Error(`erratum ${id}: nothing stands above ${path}`);
  if (op !== "add" && !(last in parent)) throw new Error(`erratum ${id}: nothing stands at ${path}`);
  if (op === "remove") delete parent[last];
  else parent[last] = structuredClone(value);
};

const patchList = (list: unknown[], step: string, op: Operation["op"], value: unknown, where: string): void => {
  const index = step === "-" ? list.length : Number(step);
  const last = op === "add" ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > last) throw new Error(`${where}: no such place in a list`);
  if (op === "remove") list.splice(index, 1);
  else list.splice(index, op === "add" ? 0 : 1, structuredClone(value));
};
