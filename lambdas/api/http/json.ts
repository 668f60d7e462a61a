import { invalidField, tooLarge } from './problem';

/** More than the largest payload with every character escaped, and far less than API Gateway accepts. */
export const MAX_BODY_BYTES = 524_288;
/** Levels of arrays and objects, including the outermost. */
export const MAX_DEPTH = 32;

/**
 * Parses a JSON body strictly; undefined if there is no body. Rejects:
 * - a key twice in one object,
 * - a whole number that would lose digits (`12345678901234567891`),
 * - a number beyond the range (`1e400`),
 * - a lone surrogate, a byte order mark, invalid UTF-8,
 * - more than `MAX_DEPTH` levels.
 *
 * Decimals become the nearest double, and `-0` becomes 0. Keys such as `__proto__` stay data. Throws
 * `ProblemError` 400, or 413 above `maxBytes`.
 */
export function parseJson(body: string | Uint8Array | undefined, maxBytes: number = MAX_BODY_BYTES): unknown {
  if (body === undefined || body.length === 0) return undefined;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (bytes > maxBytes) throw tooLarge('body', `must have at most ${maxBytes} bytes, not ${bytes}`);
  const text = typeof body === 'string' ? body : decodedUtf8(body);
  if (!isWellFormed(text)) throw loneSurrogate();
  if (depthOf(text) > MAX_DEPTH)
    throw invalidField('body', `must have at most ${MAX_DEPTH} levels of arrays and objects`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidField(
      'body',
      `is not JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}`,
    );
  }
  checkTokens(text);
  return value;
}

function decodedUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw invalidField('body', 'is not UTF-8');
  }
}

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
const loneSurrogate = () => invalidField('body', 'contains half of a surrogate pair');

/** Code units of JSON's own characters. */
const [QUOTE, BACKSLASH, COMMA, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x2d, 0x30, 0x39];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Levels of nesting, counted before parsing: no recursive code ever sees a deep text. The count is right for
 * JSON; any other text fails to parse.
 */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
  }
  return deepest;
}

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  return at;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Checks what `JSON.parse` allows, in a text that it has parsed. Throws `ProblemError` 400. */
function checkTokens(text: string): void {
  const open: (Set<string> | undefined)[] = []; // per enclosing object its keys so far; per array undefined
  let expectsKey = false;
  let escape = nextEscape(text, 0);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      if (escape < at) escape = nextEscape(text, at);
      const string = escape < end ? unescaped(text.slice(at, end + 1)) : text.slice(at + 1, end);
      if (expectsKey) addKey(open.at(-1)!, string);
      expectsKey = false;
      at = end;
    } else if (unit === OPEN_BRACE) {
      open.push(new Set());
      expectsKey = true;
    } else if (unit === OPEN_BRACKET) {
      open.push(undefined);
      expectsKey = false;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      open.pop();
      expectsKey = false;
    } else if (unit === COMMA) {
      expectsKey = open.at(-1) !== undefined;
    } else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? text.charAt(at);
      checkNumber(number);
      at += number.length - 1;
    }
  }
}

/** Index of the next backslash, or the text's length. */
function nextEscape(text: string, from: number): number {
  const at = text.indexOf('\\', from);
  return at < 0 ? text.length : at;
}

/** An escape may be one half of a surrogate pair. */
function unescaped(literal: string): string {
  const string = JSON.parse(literal) as string;
  if (!isWellFormed(string)) throw loneSurrogate();
  return string;
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key))
    throw invalidField('body', `has the key ${JSON.stringify(key.slice(0, 60))} twice in one object`);
  keys.add(key);
}

/** A target must receive the whole number that the user wrote: it may be an id. */
function checkNumber(text: string): void {
  const value = Number(text);
  const shown = text.slice(0, 40);
  if (!Number.isFinite(value))
    throw invalidField('body', `contains ${shown}, which is beyond the range of numbers (about ±1.8e308)`);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text) || String(value) === text) return;
  throw invalidField('body', `contains ${shown}, which would lose digits as a number: send it as a string`);
}

/** JSON text that does not depend on the order of keys or on whitespace: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`);
  return `{${members.join()}}`;
}
