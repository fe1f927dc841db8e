import { isObject } from "../json.js";

/** `item/commandExecution/requestApproval` as `ItemCommandExecutionRequestApproval`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** `item/commandExecution/requestApproval` as `itemCommandExecutionRequestApproval`. */
export const camelCase = (text: string): string => {
  const name = pascalCase(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
};

/** The definition that a `$ref` node points at; null for any other node. */
export const refName = (node: unknown): string | null => {
  if (!isObject(node) || typeof node["$ref"] !== "string") return null;
  return node["$ref"].split("/").at(-1) ?? null;
};

export const refTo = (name: string): { $ref: string } => ({ $ref: `#/definitions/${name}` });

const reserved = new Set(
  (
    "any as async await bigint boolean break case catch class const continue debugger declare default delete do else " +
    "enum export extends false finally for function if implements import in instanceof interface let never new null " +
    "number object package private protected public return static string super switch symbol this throw true try " +
    "type typeof undefined unknown var void while with yield"
  ).split(" "),
);

/** True when the type compiler declares a definition of this name under exactly this name. */
const isKept = (name: string): boolean =>
  /^[A-Z][\w$]*$/.test(name) && !/[\d$][a-z]/.test(name) && !/_[a-z]/.test(name);

/** How a definition's type is called. */
export interface TypeName {
  /** What the type compiler is given: a name that it does not change. */
  readonly declared: string;
  /** What others import: the definition's own name wherever TypeScript takes it as the name of a type. */
  readonly exported: string;
}

/**
 * Names for the types of all definitions, decided before anything is printed. A name that the compiler would change is
 * declared under a name it keeps, and exported under its own as an alias; one that would fall together with another
 * takes a `$`.
 */
export const planTypeNames = (names: Iterable<string>): Map<string, TypeName> => {
  const all = [...names];
  const taken = new Set(all);
  return new Map(
    all.map((name) => {
      if (isKept(name)) return [name, { declared: name, exported: name }];
      let declared = pascalCase(name)
        .replace(/^\d+/, "")
        .replace(/\d+[a-z]/g, (match) => match.toUpperCase());
      if (declared === "") declared = "Unnamed";
      while (taken.has(declared)) declared += "$";
      taken.add(declared);
      const usable = /^[A-Za-z_$][\w$]*$/.test(name) && !reserved.has(name);
      return [name, { declared, exported: usable ? name : declared }];
    }),
  );
};
