import { ArgumentError } from '../errors';

/** How far the work is, from 0 to 1, and what is done now. */
export interface Progress {
  value: number;
  text?: string;
}

const MAX_TEXT = 200;
/** Control characters, and characters that change the direction of text: the API takes none. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/**
 * The progress that a job says. The text often comes from data: it is cut at 200 characters, and has spaces
 * in place of control characters. Throws an `ArgumentError` for another value.
 */
export function progressOf(value: unknown, text?: unknown): Progress {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw new ArgumentError('value', value, 'a number from 0 to 1');
  if (text !== undefined && typeof text !== 'string') throw new ArgumentError('text', text, 'a string');
  const shown = text?.replaceAll(INVISIBLE, ' ').slice(0, MAX_TEXT).replace(HALF_CHARACTER, '');
  return { value, ...(shown && { text: shown }) };
}
