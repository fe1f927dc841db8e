import type { GeneratedFile, Model } from "../model/model.js";
import { docComment, header, literal } from "./text.js";

/** `src/generated/contract/capabilities.ts`: what `initialize` advertises. */
export const emitContractCapabilities = (model: Model): GeneratedFile[] => {
  const { capabilities, authMethods } = model.contract.capabilities;
  const text = [
    header("schemas/contract/capabilities.json"),
    `import type { AgentCapabilities } from "../acp/types.js";\n\n`,
    "/** `capabilities` of every `initialize` result. */\n",
    `export const capabilities = ${literal(capabilities, "", 28)} as const satisfies AgentCapabilities;\n\n`,
    docComment(
      "The sign-in methods in the order of the result, and when each is offered: always, unless NO_BROWSER is set (`browser`), or to clients that declare `elicitation.url` (`url-elicitation`).",
    ),
    `export const authMethods = ${literal(authMethods, "", 200)} as const;\n\n`,
    `export type AuthMethodId = (typeof authMethods)[number]["methodId"];\n`,
  ];
  return [{ path: "src/generated/contract/capabilities.ts", text: text.join("") }];
};
