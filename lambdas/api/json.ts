import { invalidField, tooLarge } from './problem';

/** More than the largest payload escaped throughout, and far less than API Gateway lets pass. */
export const MAX_BODY_BYTES = 524_288;
/** Levels of arrays and objects, the body's own included. */
export const MAX_DEPTH = 32;

/**
 * A JSON body, strictly: no key twice in an object, no number that would change (`1e400`,
 * `12345678901234567891`), no lone surrogate, no byte order mark, no invalid UTF-8, at most `MAX_DEPTH`
 * levels. `undefined` where there is no body. Keys such as `__proto__` come out as data. Throws `Problem`
 * 400, or 413.
 */
export function parseJson(body: string | Uint8Array | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (bytes > MAX_BODY_BYTES)
    throw tooLarge('body', `must have at most ${MAX_BODY_BYTES} bytes, not ${bytes}`);
  const text = typeof body === 'string' ? body : decoded(body);
  if (depthOf(text) > MAX_DEPTH) throw invalidField('body', `must nest at most ${MAX_DEPTH} levels deep`);
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

function decoded(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw invalidField('body', 'is not UTF-8');
  }
}

/**
 * Before parsing, so that nothing recursive ever meets a deep text. Right for JSON; anything else fails to
 * parse.
 */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return deepest;
}

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** What `JSON.parse` lets pass, in a text that it has read. */
function checkTokens(text: string): void {
  const open: (Set<string> | 'array')[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      const string = JSON.parse(text.slice(at, end + 1)) as string;
      if (/\p{Surrogate}/u.test(string)) throw invalidField('body', 'holds half of a surrogate pair');
      if (expectsKey) addKey(open.at(-1) as Set<string>, string);
      expectsKey = false;
      at = end;
    } else if (character === '{') {
      open.push(new Set());
      expectsKey = true;
    } else if (character === '[') {
      open.push('array');
      expectsKey = false;
    } else if (character === '}' || character === ']') {
      open.pop();
      expectsKey = false;
    } else if (character === ',') {
      expectsKey = open.at(-1) !== 'array';
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? character;
      checkNumber(number);
      at += number.length - 1;
    }
  }
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key))
    throw invalidField('body', `has the key ${JSON.stringify(key.slice(0, 60))} twice in one object`);
  keys.add(key);
}

/** A target must get the number that its user wrote. */
function checkNumber(text: string): void {
  const value = Number(text);
  const shown = text.slice(0, 40);
  if (!Number.isFinite(value))
    throw invalidField('body', `holds ${shown}, which is beyond the range of numbers`);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text) || String(value) === text) return;
  throw invalidField('body', `holds ${shown}, which would lose digits: send it as a string`);
}
