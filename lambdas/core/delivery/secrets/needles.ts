import { parseUrl } from '../../domain/parse-url';
import { latin1Of } from './spellings';

/** A text by which a secret is found, with one character for each byte. */
export interface Needle {
  /** What replaces it names this secret. */
  name: string;
  text: string;
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

/** The texts by which secrets are found: values, and parts of those that are URLs. */
export function needlesOf(hidden: readonly HiddenValue[]): Needle[] {
  const made = new Map<string, Needle>();
  for (const { name, value } of hidden)
    for (const part of [value, ...partsOfUrl(value)]) {
      const text = latin1Of(part);
      if (text.length >= MIN_HIDDEN_BYTES && !made.has(text)) made.set(text, { name, text });
    }
  return [...made.values()];
}

/** Targets echo the path of a request more often than its URL. */
function partsOfUrl(value: string): string[] {
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : undefined;
  if (!url) return [];
  const { href, pathname, search } = url;
  return [href, pathname + search, pathname, ...pathname.split('/')].filter(
    (part) => part.length >= MIN_URL_PART_BYTES,
  );
}
