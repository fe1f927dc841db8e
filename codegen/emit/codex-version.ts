import type { GeneratedFile, Model } from "../model/model.js";
import { docComment, header, literal } from "./text.js";

/** The version that everything under `src/generated/codex` comes from, and those that the package is tested with. */
export const emitCodexVersion = (model: Model): GeneratedFile[] => {
  const { version, oldest } = model.codex;
  const end = nextMinor(version);
  const text = [
    header("schemas/codex and schemas/versions"),
    "/** The Codex whose schemas were captured. */\n",
    `export const capturedCodex = ${JSON.stringify(version)};\n\n`,
    "/** Codex versions this package is tested with: from `first` on, the oldest that is kept, below `end`. */\n",
    `export const testedCodex = { first: ${JSON.stringify(oldest)}, end: ${JSON.stringify(end)} } as const;\n\n`,
    docComment("The requests in use that an older version lacks, from that version on; newest first."),
    "export const lackingRequests: readonly { readonly from: string; readonly requests: readonly string[] }[] = ",
    `${literal(lackingOf(model))};\n`,
  ];
  return [{ path: "src/generated/codex/version.ts", text: text.join("") }];
};

/** `0.172.0` for `0.171.0` and for `0.171.3`. */
const nextMinor = (version: string): string => {
  const [major, minor] = version.split(".");
  return `${major}.${Number(minor) + 1}.0`;
};

const lackingOf = ({ codex, contract }: Model): { from: string; requests: string[] }[] => {
  const used = new Set(contract.codex.requests.filter(({ use }) => use !== "unused").map(({ method }) => method));
  const rows = [...codex.lacking].map(([from, methods]) => ({ from, requests: methods.filter((it) => used.has(it)) }));
  return rows.reverse();
};
