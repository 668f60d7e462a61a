/** Most characters of one text of a job or a target, before it is escaped. */
const MAX_CHARACTERS = 500;
/** Control characters, line ends among them, and characters that hide or turn text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text from a job or a target, as messages have it: one line of at most 500 characters. Invisible ones are
 * gone, and `& < >` are escaped. So it can be no mention, link or tag.
 */
export function plainText(text: string): string {
  const line = text.replaceAll(INVISIBLE, ' ').trim();
  // By code points: a cut between two surrogates would leave half a character.
  const characters = Array.from(line);
  const isLong = characters.length > MAX_CHARACTERS;
  const cut = isLong ? [...characters.slice(0, MAX_CHARACTERS - 1), '…'] : characters;
  return cut.map((character) => ENTITIES[character] ?? character).join('');
}
