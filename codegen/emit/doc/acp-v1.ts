import type { AcpV1Row } from "../../model/contract-acp-v1.js";
import type { Model } from "../../model/model.js";
import { code, list, table } from "./markdown.js";

const names = (all: readonly string[] | undefined): string => (all ?? []).map(code).join(", ");

const inWords = (row: AcpV1Row): string => {
  const { is, as, when, otherwise } = row;
  const kept = is === "same" || is === "reshaped" ? is : is === "left-out" ? "left out" : `${is}: ${names(as)}`;
  const also = as !== undefined && is === "reshaped" ? `, also ${names(as)}` : "";
  const condition = when === undefined ? "" : ` with ${code(when)}, else ${names(otherwise) || "left out"}`;
  return `${kept}${also}${condition}`;
};

const rows = (of: string, all: readonly AcpV1Row[]): string =>
  table(
    [of, "In version 1", "How"],
    all.map((row) => [code(row.name), inWords(row), row.doc]),
  );

/** What a host of ACP version 1 finds in the place of everything else on the page. */
export const acpV1Section = (model: Model): string => {
  const { methods, updates, unserved } = model.contract.acpV1;
  return [
    "A host whose `initialize` asks for version 1 is served too, from the same process. What it gets is made from what this page describes; methods that begin with an underscore, errors and `_meta` are the same. Sign-in, capabilities and everything else below are told in the words of version 1.\n\n",
    rows("Method", methods),
    rows("Kind of `session/update`", updates),
    "Never asked of such a host, or refused to it:\n\n",
    `${list(unserved.map(({ name, because }) => `${code(name)}: ${because}`))}\n`,
  ].join("");
};
