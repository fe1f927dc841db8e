/** Markdown building blocks for docs/protocol.md. */

/** Text for a table cell: one line, with the cell separator escaped. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |\n`;
  return `${line(heads)}${line(heads.map(() => "---"))}${rows.map(line).join("")}\n`;
};

/** A table, or the sentence that says there is nothing to put in it. */
export const tableOr = (none: string, heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? `${none}\n\n` : table(heads, rows);

/** Inline code; longer fences where the text holds back-ticks. */
export const code = (text: string): string => {
  const fence = text.includes("`") ? "``" : "`";
  const pad = fence.length > 1 ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
};

export const json = (value: unknown): string => code(JSON.stringify(value));

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}\n`).join("");

/** The anchor of a section: its own name in lower-case words, whatever the heading says. */
export const anchor = (...parts: readonly string[]): string =>
  parts
    .join(" ")
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** A heading with an anchor that stays when the heading's words change. */
export const heading = (level: number, text: string, id: string): string =>
  `<a id="${id}"></a>\n\n${"#".repeat(level)} ${text}\n\n`;

export const link = (text: string, id: string): string => `[${text}](#${id})`;

/** The first paragraph of a schema's description, on one line. */
export const firstParagraph = (text: unknown): string =>
  typeof text !== "string" ? "" : (text.split(/\n\s*\n/)[0] ?? "").replaceAll(/\s*\n\s*/g, " ").trim();
