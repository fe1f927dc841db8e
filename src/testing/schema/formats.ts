/** What the formats of the schemas mean: bounds of integers, and patterns of strings. Others say nothing. */

const bits = (width: number, signed: boolean): readonly [number, number] =>
  signed ? [-(2 ** (width - 1)), 2 ** (width - 1) - 1] : [0, 2 ** width - 1];

export const integerRange: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  int8: bits(8, true),
  int16: bits(16, true),
  int32: bits(32, true),
  int64: bits(64, true),
  uint: bits(64, false),
  uint8: bits(8, false),
  uint16: bits(16, false),
  uint32: bits(32, false),
  uint64: bits(64, false),
};

export const stringFormat: Readonly<Record<string, RegExp>> = {
  uri: /^[a-z][a-z0-9+.-]*:\S*$/i,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
};
