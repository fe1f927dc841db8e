import { metaTypeName } from "../model/meta.js";
import type { GeneratedFile, Model } from "../model/model.js";
import { docComment, header } from "./text.js";

/** `src/generated/contract/meta.ts`: the `_meta` types by carrier. */
export const emitContractMeta = (model: Model): GeneratedFile[] => {
  const { carriers } = model.contract.meta;
  const alias = (carrier: string): string => {
    const name = metaTypeName(carrier);
    return `${docComment(`\`_meta\` of ${carrier}.`)}export type ${name} = Plain<types.${name}>;\n\n`;
  };
  const text = [
    header("schemas/contract/meta.json"),
    `import type * as types from "./types.js";\n\n`,
    "/** As a type alias an object fits ACP's `_meta`, which any string may index; as an interface it would not. */\n",
    "type Plain<T> = { [Key in keyof T]: T[Key] };\n\n",
    ...carriers.map((carrier) => alias(carrier.carrier)),
    "/** The type of a carrier's `_meta`. */\n",
    "export interface MetaByCarrier {\n",
    ...carriers.map(({ carrier }) => `  readonly ${JSON.stringify(carrier)}: ${metaTypeName(carrier)};\n`),
    "}\n",
  ];
  return [{ path: "src/generated/contract/meta.ts", text: text.join("") }];
};
