import { gunzipSync } from 'node:zlib';

import type { OtlpAttribute, OtlpSpan, OtlpValue } from '../../lambdas/core/telemetry/otlp';

/** A message of the published protobuf definitions, as protobufjs compiles it. */
interface MessageType {
  fromObject(object: unknown): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  verify(object: object): string | null;
  toObject(message: object, options: object): unknown;
}
interface Definitions {
  opentelemetry: {
    proto: { collector: { trace: { v1: { ExportTraceServiceRequest: MessageType } } } };
  };
}

/** The published package has the definitions in this file alone. */
const FILE = '@opentelemetry/otlp-transformer/build/src/generated/root';
// oxlint-disable-next-line no-require-imports -- the package has no types for it
const { opentelemetry } = require(FILE) as Definitions;
const { ExportTraceServiceRequest } = opentelemetry.proto.collector.trace.v1;

const ID_FIELDS: readonly string[] = ['traceId', 'spanId', 'parentSpanId'];

/** OTLP has ids in hex, where the JSON of protobuf has base64. */
const withIds = (value: unknown, change: (id: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((one) => withIds(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      ID_FIELDS.includes(name) ? change(field as string) : withIds(field, change),
    ]),
  );
};
const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
const toHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

export interface DecodedSpan extends Omit<OtlpSpan, 'attributes'> {
  attributes: Record<string, unknown>;
}

/** What a collector has got. */
export interface DecodedRequest {
  resource: Record<string, unknown>;
  scope: { name: string; version: string };
  schemaUrl: string;
  spans: DecodedSpan[];
}

/**
 * Decodes the body of a request by the published protobuf definitions: it goes through their bytes and back.
 * Throws if that changes anything, as an unknown name, another type or a wrong id would.
 */
export function decodeTraces(gzipped: Buffer): DecodedRequest {
  const sent = JSON.parse(gunzipSync(gzipped).toString()) as unknown;
  const message = ExportTraceServiceRequest.fromObject(withIds(sent, toBase64));
  const fault = ExportTraceServiceRequest.verify(message);
  if (fault !== null) throw new Error(fault);
  const decoded = ExportTraceServiceRequest.decode(ExportTraceServiceRequest.encode(message).finish());
  const read = withIds(ExportTraceServiceRequest.toObject(decoded, { longs: String, bytes: String }), toHex);
  expect(read).toEqual(sent);
  type Scope = { scope: DecodedRequest['scope']; schemaUrl: string; spans: OtlpSpan[] };
  const { resourceSpans } = read as {
    resourceSpans: [{ resource: { attributes: OtlpAttribute[] }; scopeSpans: [Scope] }];
  };
  const [{ resource, scopeSpans }] = resourceSpans;
  const [{ scope, schemaUrl, spans }] = scopeSpans;
  return {
    resource: valuesOf(resource.attributes),
    scope,
    schemaUrl,
    spans: spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
  };
}

const valuesOf = (attributes: readonly OtlpAttribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueIn(value)]));

function valueIn(value: OtlpValue): unknown {
  if ('arrayValue' in value) return value.arrayValue.values.map(valueIn);
  const [one] = Object.values(value) as [string | boolean];
  return 'intValue' in value ? Number(one) : one;
}
