/**
 * A passage is a run of text that is read as one: a paragraph, a list item, a table cell, a string literal.
 * Its text may come from several lines; `lineAt` gives the line of the file for an offset into the text.
 *
 * @param kind `comment`, `doc`, `cell`, `diagram` or `string`
 * @param pieces `{ text, line }` in order; the texts are joined without a separator
 */
export function passageOf(kind, pieces) {
  const text = pieces.map((piece) => piece.text).join('');
  return { kind, text, masked: maskMarkup(text), codeSpans: codeSpansOf(text), lineAt: lineFinder(pieces) };
}

const lineFinder = (pieces) => (offset) => {
  let start = 0;
  for (const { text, line } of pieces) {
    if (offset < start + text.length) return line + countNewlines(text.slice(0, offset - start));
    start += text.length;
  }
  return pieces.at(-1).line;
};

const countNewlines = (text) => text.split('\n').length - 1;

/** Replaces code, a URL or an interpolated value: one word that no rule reads. */
export const FILLER = '\uFFFC';

const CODE_SPAN = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;
const URL = /\bhttps?:\/\/[^\s)>\]]*[^\s)>\].,;:!?]/g;
const LINK_TARGET = /\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g;
const REFERENCE_TARGET = /\]\[[^\]]*\]/g;
const TAG = /<\/?[A-Za-z][^<>]*>|<!--|-->/g;
const EMPHASIS = /\*+|(?<![\w\uFFFC])_+|_+(?![\w\uFFFC])/g;
const BRACKETS = /!?\[|\]/g;

/** Replaces markup and code by characters of the same length, so that offsets stay valid. */
function maskMarkup(text) {
  const fill = (found) => FILLER.repeat(found.length);
  const blank = (found) => ' '.repeat(found.length);
  return text
    .replace(CODE_SPAN, fill)
    .replace(LINK_TARGET, blank)
    .replace(REFERENCE_TARGET, blank)
    .replace(URL, fill)
    .replace(TAG, blank)
    .replace(EMPHASIS, blank)
    .replace(BRACKETS, blank);
}

const codeSpansOf = (text) =>
  [...text.matchAll(CODE_SPAN)].map((match) => ({ text: match[2].trim(), offset: match.index }));
