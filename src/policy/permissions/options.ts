import type { PermissionOption } from "../../generated/acp/types.js";
import type { PermissionOptionMeta } from "../../generated/contract/meta.js";
import { type PermissionRow, permissions } from "../../generated/contract/tables.js";

export type PermissionTitle = PermissionRow["title"];
export type RowOf<Title extends PermissionTitle> = Extract<PermissionRow, { readonly title: Title }>;

const isRow =
  <Title extends PermissionTitle>(title: Title) =>
  (row: PermissionRow): row is RowOf<Title> =>
    row.title === title;

/** The table's row for a question. */
export function rowOf<Title extends PermissionTitle>(title: Title): RowOf<Title> {
  const row = permissions.find(isRow(title));
  // Titles are types of the same table.
  if (!row) throw new Error(`no permission row ${title}`);
  return row;
}

interface OptionRow {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
  readonly description: string;
}

/** An option as the host gets it (PERM-13); `over` fills in what the table leaves to the request. */
export function optionOf(
  { optionId, name, kind, description }: OptionRow,
  over: { readonly optionId?: string; readonly description?: string } = {},
): PermissionOption {
  const _meta = { codex: { description: over.description ?? description } } satisfies PermissionOptionMeta;
  return { optionId: over.optionId ?? optionId, name, kind, _meta };
}
