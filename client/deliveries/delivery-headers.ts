import { QuarterjackError } from '../errors';
import { SignatureError } from './delivery';

/** Headers as Node.js or as `fetch` represents them, or pairs of name and value. */
export type DeliveryHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [name: string, value: string]>;

const OURS = /^(?:webhook|quarterjack)-/;
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/**
 * What no header can contain. A line break would make one header look like two in the text that is signed.
 */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;

/**
 * The `webhook-…` and `quarterjack-…` headers, names in lower case. Throws a `SignatureError` for one that is
 * given twice, and a `QuarterjackError` if these are no headers.
 */
export function readHeaders(headers: unknown): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const [given, value] of pairsOf(headers)) {
    const name = given.toLowerCase();
    if (!OURS.test(name) || value === undefined) continue;
    if (!NAME.test(name)) throw new SignatureError(`${JSON.stringify(name)} is not the name of a header`);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.length === 0) continue;
    if (values.length > 1 || read.has(name)) throw new SignatureError(`${name} is given twice`);
    const [text] = values;
    if (typeof text !== 'string' || CONTROL_CHARACTERS.test(text))
      throw new SignatureError(`${name} is not the text of a header`);
    read.set(name, text);
  }
  return read;
}

function pairsOf(headers: unknown): [name: string, value: unknown][] {
  if (typeof headers === 'object' && headers !== null) {
    if (!(Symbol.iterator in headers)) return Object.entries(headers);
    const pairs = [...(headers as Iterable<unknown>)];
    if (pairs.every(isPair)) return pairs;
  }
  throw new QuarterjackError('the headers of the request are missing: pass request.headers');
}

const isPair = (pair: unknown): pair is [string, unknown] =>
  Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string';

/** The header's value. Throws a `SignatureError` that names it if there is none. */
export function required(headers: ReadonlyMap<string, string>, name: string): string {
  const value = headers.get(name);
  if (value) return value;
  throw new SignatureError(`the delivery has no header ${name}`);
}

/** A header that is a whole number from `min`. Throws a `SignatureError` without it. */
export function requiredNumber(headers: ReadonlyMap<string, string>, name: string, min: number): number {
  const text = required(headers, name);
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new SignatureError(`${name} is ${JSON.stringify(text)}; expected a whole number from ${min}`);
}
