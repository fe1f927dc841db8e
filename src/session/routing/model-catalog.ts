import type { Model } from "../../generated/codex/types.js";

/** A model as a `model_catalog_json` file describes it, as far as the option list needs it. */
export interface CatalogModel {
  readonly slug: string;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly defaultEffort: string | null;
  readonly efforts: readonly { readonly effort: string; readonly description: string }[];
  /** Null when the file does not say. */
  readonly modalities: NonNullable<Model["inputModalities"]> | null;
}

export type ModelCatalog =
  | { readonly ok: true; readonly models: ReadonlyMap<string, CatalogModel> }
  /** `problem` in words, without anything of the file's content but field names. */
  | { readonly ok: false; readonly problem: string };

type Fields = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Reads the text of a model catalog, `{models: [{slug, supported_reasoning_levels: [{effort}], …}]}` as Codex has it. */
export function parseModelCatalog(content: string): ModelCatalog {
  let root: unknown;
  try {
    root = JSON.parse(content);
  } catch {
    // The parser's message quotes the file.
    return { ok: false, problem: "it is not JSON" };
  }
  const list = isObject(root) ? root["models"] : undefined;
  if (!Array.isArray(list)) return { ok: false, problem: "it has no list `models`" };
  const models = new Map<string, CatalogModel>();
  for (const [index, entry] of list.entries()) {
    const model = isObject(entry) ? modelOf(entry) : "is not an object";
    if (typeof model === "string") return { ok: false, problem: `models[${index}] ${model}` };
    models.set(model.slug, model);
  }
  return { ok: true, models };
}

/** The model, or what is wrong with it. */
function modelOf(entry: Fields): CatalogModel | string {
  const slug = text(entry["slug"]);
  if (slug === null) return "has no `slug`";
  const levels = entry["supported_reasoning_levels"];
  if (!Array.isArray(levels)) return "has no list `supported_reasoning_levels`";
  const efforts: { effort: string; description: string }[] = [];
  for (const level of levels) {
    const effort = isObject(level) ? text(level["effort"]) : null;
    if (effort === null) return "has a reasoning level without `effort`";
    efforts.push({ effort, description: (isObject(level) && text(level["description"])) || effort });
  }
  const modalities = entry["input_modalities"];
  return {
    slug,
    displayName: text(entry["display_name"]),
    description: text(entry["description"]),
    defaultEffort: text(entry["default_reasoning_level"]),
    efforts,
    modalities: Array.isArray(modalities)
      ? modalities.filter((it): it is "text" | "image" => it === "text" || it === "image")
      : null,
  };
}
