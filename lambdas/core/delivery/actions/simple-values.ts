import { SIMPLE_TYPES } from '../../contracts/action-schemas';

/** A value as the SDK takes it, or what it would have to be. */
type Simple = { value: unknown } | { expected: string };

/** A text is what templates make of whatever they put in, so numbers and truth values may be texts. */
export function asSimple(type: number, value: unknown): Simple {
  const { timestamps, blobs } = SIMPLE_TYPES;
  if ((timestamps as readonly number[]).includes(type)) return asDate(value);
  if ((blobs as readonly number[]).includes(type)) return asBytes(value);
  switch (type) {
    case SIMPLE_TYPES.document:
      return { value };
    case SIMPLE_TYPES.boolean:
      if (value === true || value === 'true') return { value: true };
      return value === false || value === 'false' ? { value: false } : { expected: 'true or false' };
    case SIMPLE_TYPES.number:
      return asNumber(value);
    case SIMPLE_TYPES.bigInteger:
      return INTEGER.test(String(value))
        ? { value: BigInt(value as number) }
        : { expected: 'a whole number' };
    case SIMPLE_TYPES.bigDecimal:
      return asNumber(value);
    default:
      return typeof value === 'string' ? { value } : { expected: 'a text' };
  }
}

const INTEGER = /^-?\d{1,30}$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const asNumber = (value: unknown): Simple =>
  typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))
    ? { value: Number(value) }
    : { expected: 'a number' };

/** A time by its text, or in seconds since 1970. */
function asDate(value: unknown): Simple {
  const ms =
    typeof value === 'number' ? value * 1_000 : DATE.test(String(value)) ? Date.parse(String(value)) : NaN;
  return Number.isNaN(new Date(ms).getTime())
    ? { expected: 'a time such as 2026-01-31T12:00:00Z, or seconds since 1970' }
    : { value: new Date(ms) };
}

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** A text is its bytes in UTF-8. Other bytes are written as `{ "base64": "…" }`. */
function asBytes(value: unknown): Simple {
  if (typeof value === 'string') return { value: new Uint8Array(Buffer.from(value, 'utf8')) };
  const { base64, ...rest } = (value ?? {}) as { base64?: unknown };
  return typeof base64 === 'string' && BASE64.test(base64) && Object.keys(rest).length === 0
    ? { value: new Uint8Array(Buffer.from(base64, 'base64')) }
    : { expected: 'a text, or bytes such as {"base64":"aGk="}' };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
