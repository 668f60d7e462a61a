import { latin1Of, viewsOf } from './spellings';

/** Parts of the request are recognised by so many characters at least, and by so many at most. */
const SHORTEST = 8;
const LONGEST = 32;
/** The length tells little of the length of a secret. */
const STEP = 4;

/** A part of a text, in bytes. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * The parts of a text that repeat what a request said, if they begin before `limit`. Each has as many
 * characters as the shortest needle, in steps of 4. So no guess of a secret is too short to be seen. Both
 * texts are read in all views.
 */
export function repeatsIn(
  text: string,
  said: readonly string[],
  { shortest, limit }: { shortest: number; limit: number },
): ByteRange[] {
  const length = Math.min(LONGEST, Math.max(SHORTEST, Math.floor(shortest / STEP) * STEP));
  const positions = new Map<string, ByteRange[]>();
  for (const { text: shown, positions: at } of viewsOf(text))
    for (let index = 0; index + length <= shown.length; index++) {
      const from = at ? at.starts[index]! : index;
      if (from >= limit) break;
      const last = index + length - 1;
      const part = { from, to: at ? at.stops[last]! : last + 1 };
      const words = shown.slice(index, index + length);
      const known = positions.get(words);
      if (known) known.push(part);
      else positions.set(words, [part]);
    }
  const parts: ByteRange[] = [];
  if (positions.size === 0) return parts;
  for (const { text: words } of viewsOf(latin1Of(said.join('\n'))))
    for (let index = 0; index + length <= words.length; index++) {
      const key = words.slice(index, index + length);
      const found = positions.get(key);
      if (!found) continue;
      parts.push(...found);
      positions.delete(key);
    }
  return parts;
}
