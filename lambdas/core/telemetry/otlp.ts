/*
 * Spans in the JSON of OTLP 1.x (opentelemetry-proto, trace/v1/trace.proto): names in lower camel case, ids
 * in hex, enums as numbers, 64-bit numbers as decimal text.
 */

export type OtlpValue =
  | { stringValue: string }
  | { intValue: string }
  | { boolValue: boolean }
  | { arrayValue: { values: OtlpValue[] } };

export interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

export const SpanKind = { internal: 1, client: 3, producer: 4 } as const;

/** Bits of `flags` beside those of `traceparent`: is it known whether the parent is remote, and is it? */
const KNOWS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

const ERROR = 2;

export interface OtlpLink {
  traceId: string;
  spanId: string;
  flags: number;
  attributes?: OtlpAttribute[];
}

export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  flags: number;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  links?: OtlpLink[];
  /** Absent: it did not fail. */
  status?: { code: typeof ERROR };
}

export const FAILED_STATUS = { code: ERROR } as const;

const NANOS_A_MS = 1_000_000n;
export const nanosOf = (ms: number): string => (BigInt(Math.round(ms)) * NANOS_A_MS).toString();

export const flagsOf = (traceFlags: number, parent: 'local' | 'remote'): number =>
  traceFlags | KNOWS_REMOTE | (parent === 'remote' ? IS_REMOTE : 0);

export type AttributeValue = string | number | boolean | readonly string[] | undefined;

/** Attributes by their names. Numbers are whole; what is undefined is left out. */
export const otlpAttributes = (values: Readonly<Record<string, AttributeValue>>): OtlpAttribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  );

function valueOf(value: Exclude<AttributeValue, undefined>): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { intValue: String(Math.round(value)) };
  return { arrayValue: { values: value.map(valueOf) } };
}
