import { isObject, type Message, type Protocol } from "./surface.js";
import type { Decisions } from "./verdict.js";

/** `codex.json` and `methods.json` of the contract, parsed. */
export interface ContractData {
  readonly codex: unknown;
  readonly methods: unknown;
}

const rowsOf = (file: unknown, list: string): readonly Readonly<Record<string, unknown>>[] => {
  const rows = isObject(file) ? file[list] : undefined;
  if (!Array.isArray(rows)) throw new Error(`the contract has no list "${list}"`);
  return rows.filter(isObject);
};

const keyOf = ({ kind, from, method }: Pick<Message, "kind" | "from" | "method">): string =>
  `${kind} ${from} ${method}`;

/** What the contract's dispositions say about the messages of a protocol. Throws when the data is not the contract's. */
export function decisionsOf(contract: ContractData, protocol: Protocol): Decisions {
  return protocol === "codex" ? decisionsOnCodex(contract) : decisionsOnAcp(contract);
}

function decisionsOnCodex({ codex }: ContractData): Decisions {
  const uses = new Map<string, boolean>();
  const decide = (list: string, kind: Message["kind"], from: Message["from"], unused: string): void => {
    for (const { method, use, disposition } of rowsOf(codex, list)) {
      uses.set(keyOf({ kind, from, method: String(method) }), (use ?? disposition) !== unused);
    }
  };
  decide("requests", "request", "us", "unused");
  decide("serverRequests", "request", "them", "refuse");
  decide("notifications", "notification", "them", "drop");
  const items = new Set(rowsOf(codex, "items").map(({ type }) => type));
  return {
    uses: (message) => uses.get(keyOf(message)) ?? null,
    knowsItem: (type) => items.has(type),
  };
}

/** Of ACP the contract names what the bridge serves and sends; about the rest nothing is decided. */
function decisionsOnAcp({ methods }: ContractData): Decisions {
  const used = rowsOf(methods, "methods").map(({ method, kind, direction }) =>
    keyOf({
      kind: kind === "notification" ? kind : "request",
      from: direction === "agent-to-host" ? "us" : "them",
      method: String(method),
    }),
  );
  const uses = new Set(used);
  return {
    uses: (message) => uses.has(keyOf(message)) || null,
    knowsItem: () => false,
  };
}
