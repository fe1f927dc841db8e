/** The shape of `schemas/contract/acp-v1.json`. */

/** What a method or an update of this contract is to a host that speaks version 1 of ACP. */
export interface AcpV1Row {
  /** A method of methods.json on the wire, or a kind of `session/update`. */
  name: string;
  /**
   * `same`: as it is. `reshaped`: under its name, with other members. `renamed`: under another name. `folded`: told in
   * other messages. `left-out`: version 1 has no place for it.
   */
  is: "same" | "reshaped" | "renamed" | "folded" | "left-out";
  /** What it becomes beside, or in place of, its own name. */
  as?: string[];
  /** The client capability of version 1 without which it becomes `otherwise`; a dotted path. */
  when?: string;
  otherwise?: string[];
  /** How the members go over, or why there is no place. */
  doc: string;
}

/**
 * How this contract looks in version 1 of ACP. Extension methods and `_meta` are as they are in both and have no rows.
 * Whatever lacks a row, on either side, fails the build.
 */
export interface AcpV1File {
  $schema?: string;
  methods: AcpV1Row[];
  updates: AcpV1Row[];
  /** What version 1 has and nothing of this contract stands for. */
  unserved: { of: "method" | "update"; name: string; because: string }[];
}
