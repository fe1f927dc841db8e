import { lackingRequests, testedCodex } from "../generated/codex/version.js";

export { testedCodex };

/** The version in a user agent such as `codex-acp-kit/0.171.0 (Debian 12.0.0; x86_64) xterm (codex-acp-kit; 0.1.0)`. */
export function versionOfUserAgent(userAgent: string): string | null {
  return /^[^/]*\/(\d+\.\d+\.\d+\S*)/.exec(userAgent)?.[1] ?? null;
}

const numbers = (version: string): readonly number[] => version.split(/[.+-]/, 3).map(Number);

/** Order of two versions by their three numbers; what follows them, as in `0.172.0-alpha.1`, does not count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Null when `version` is tested; else one sentence for the user. */
export function versionWarning(version: string | null): string | null {
  const range = `${testedCodex.first} up to, but not including, ${testedCodex.end}`;
  if (version === null) return `Codex does not tell its version; this bridge is tested with ${range}.`;
  const tested = compareVersions(version, testedCodex.first) >= 0 && compareVersions(version, testedCodex.end) < 0;
  return tested ? null : `Codex ${version} is outside of what this bridge is tested with: ${range}.`;
}

/** Whether this Codex leaves forks that nobody has prompted yet out of its list; one that does not tell, does not. */
export const hidesForks = (version: string | null): boolean =>
  version !== null && compareVersions(version, "0.171.0") < 0;

/** The requests in use that a tested version lacks. One between two that are known is taken for the older. */
export function knownToLack(
  version: string | null,
  known: readonly { readonly from: string; readonly requests: readonly string[] }[] = lackingRequests,
): ReadonlySet<string> {
  const row = version === null ? undefined : known.find(({ from }) => compareVersions(from, version) <= 0);
  return new Set(row?.requests);
}
