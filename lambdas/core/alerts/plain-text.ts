/** Most characters of one text of a job or a target, before it is escaped. */
const MAX_CHARACTERS = 500;
/** Control characters, line ends among them, and characters that hide or turn text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text from a job or a target for a message: one line, at most 500 characters as a reader sees them, without
 * invisible ones, and with `& < >` escaped. So it can be no mention, link or tag.
 */
export function plainText(text: string): string {
  const line = text.replaceAll(INVISIBLE, ' ').trim();
  const characters = [...line];
  const cut =
    characters.length > MAX_CHARACTERS ? [...characters.slice(0, MAX_CHARACTERS - 1), '…'] : characters;
  return cut.map((character) => ENTITIES[character] ?? character).join('');
}
