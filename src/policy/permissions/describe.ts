import type { AdditionalPermissionProfile, FileSystemPath } from "../../generated/codex/types.js";

/** What is asked for beyond the sandbox, a line each. */
export function permissionsText({ network, fileSystem }: AdditionalPermissionProfile): string {
  const entries = fileSystem?.entries ?? [
    ...(fileSystem?.read ?? []).map((path) => entry("read", path)),
    ...(fileSystem?.write ?? []).map((path) => entry("write", path)),
  ];
  return [
    ...(network?.enabled ? ["Network access"] : []),
    ...entries.map(({ access, path }) => `${verbs[access]} ${pathText(path)}`),
  ].join("\n");
}

const verbs = { read: "Read", write: "Write", deny: "No access to" } as const;

const entry = (access: "read" | "write", path: string) => ({ access, path: { type: "path" as const, path } });

function pathText(path: FileSystemPath): string {
  if (path.type === "path") return path.path;
  if (path.type === "glob_pattern") return path.pattern;
  const { value } = path;
  return "subpath" in value && value.subpath != null ? `${value.kind}/${value.subpath}` : value.kind;
}
