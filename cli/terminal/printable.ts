/**
 * Characters that a terminal obeys, or that hide what is there: controls, line separators, marks that change
 * the direction of text, and characters without width. The joiners U+200C and U+200D are not among them:
 * emoji and several scripts need them.
 */
const HIDDEN = '\\p{Cc}\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff';
const ANY = new RegExp(`[${HIDDEN}]`, 'gu');
const IN_LINES = new RegExp(`(?![\\n\\t])[${HIDDEN}]`, 'gu');
const UNWRITABLE = new RegExp(`(?![\\n\\t])[${HIDDEN}\\p{Cs}]`, 'gu');
// oxlint-disable-next-line no-control-regex -- the colours of `style.ts`
const COLOUR = /(\u001b\[[\d;]*m)/;

/** Untrusted text on one line, with a space for each hidden character. */
export const singleLine = (text: string): string => text.replace(ANY, ' ');

/** Text of several lines, without what a terminal would obey. */
export const lines = (text: string): string => text.replace(IN_LINES, ' ');

/** Text of several lines that may contain colours, without what else a terminal would obey. */
export const colouredLines = (text: string): string =>
  text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : lines(part)))
    .join('');

/** JSON for a terminal or a pipe: hidden characters are escaped, so the value stays the same. */
export const jsonText = (value: unknown): string => escapedHidden(`${JSON.stringify(value, null, 2)}\n`);

/** Each hidden character as `\u200b`, and half a character likewise: no file can have it. */
export const escapedHidden = (text: string): string =>
  text.replace(UNWRITABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
