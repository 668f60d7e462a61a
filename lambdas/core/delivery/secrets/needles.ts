import { parseUrl } from '../../domain/parse-url';
import { latin1Of } from './spellings';

/** A spelling of a secret, and how to find it in one pass. One character for each byte. */
export interface Needle {
  /** What replaces it names this secret. */
  name: string;
  text: string;
  /** Characters before and after it that hold some bits of the secret. */
  before: number;
  after: number;
  /** By the length of a match so far: the length to go on with where the next character does not fit. */
  fallbacks: Int32Array;
}

/** A value that must not be kept or told. */
export interface HiddenValue {
  /** Name of the secret. */
  name: string;
  value: string;
}

/** Shorter texts are too common to be hidden. A secret is longer; an access token might not be. */
export const MIN_HIDDEN_BYTES = 4;
/** A part of a URL is hidden on its own if it is not shorter than a secret. */
const MIN_URL_PART_BYTES = 8;

/**
 * The texts by which a secret is found. They are the value itself, and its base64 and base64url at each of
 * three offsets, as part of a longer text. The value may have been escaped before it was encoded, as OAuth
 * asks of clients. `spellings.ts` reads the escapes of the text in which the needles are sought.
 */
export function needlesOf(hidden: readonly HiddenValue[]): Needle[] {
  const made = new Map<string, Needle>();
  for (const { name, value } of hidden)
    for (const part of [value, ...partsOfUrl(value)]) {
      if (Buffer.byteLength(part) < MIN_HIDDEN_BYTES) continue;
      for (const needle of needlesOfText(name, part))
        if (!made.has(needle.text)) made.set(needle.text, needle);
    }
  return [...made.values()];
}

function needlesOfText(name: string, value: string): Needle[] {
  const formEncoded = new URLSearchParams([['', value]]).toString().slice(1);
  const variants = [...new Set([value, percentEncoded(value), formEncoded, jsonEscaped(value)])];
  return [
    needle(name, latin1Of(value), 0, 0),
    ...variants.flatMap((variant) => base64Needles(name, Buffer.from(variant, 'utf8'))),
  ];
}

const percentEncoded = (text: string): string => encodeURIComponent(text);
const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Targets echo the path of a request more often than its URL. */
function partsOfUrl(value: string): string[] {
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : undefined;
  if (!url) return [];
  const { href, pathname, search } = url;
  return [href, pathname + search, pathname, ...pathname.split('/')].filter(
    (part) => part.length >= MIN_URL_PART_BYTES,
  );
}

/**
 * Base64 has 4 characters for 3 bytes. So the text of a secret depends on its offset among them. Its first
 * and last character may hold bits of its neighbours too: those are not part of the needle.
 */
function base64Needles(name: string, bytes: Buffer): Needle[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const bits = (offset + bytes.length) * 8;
    const first = Math.ceil((offset * 8) / 6);
    const whole = text.slice(first, Math.floor(bits / 6));
    const [before, after] = [offset === 0 ? 0 : 1, bits % 6 === 0 ? 0 : 1];
    const asUrl = whole.replaceAll('+', '-').replaceAll('/', '_');
    return [...new Set([whole, asUrl])].map((spelled) => needle(name, spelled, before, after));
  });
}

function needle(name: string, text: string, before: number, after: number): Needle {
  const fallbacks = new Int32Array(text.length + 1);
  for (let length = 1, fallback = 0; length < text.length; length++) {
    while (fallback > 0 && text[length] !== text[fallback]) fallback = fallbacks[fallback]!;
    if (text[length] === text[fallback]) fallback += 1;
    fallbacks[length + 1] = fallback;
  }
  return { name, text, before, after, fallbacks };
}
