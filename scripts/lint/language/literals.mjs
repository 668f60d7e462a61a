/** String literals of code: those with a space are read as prose, the others as names. */
import { passageOf } from './passage.mjs';

/** A name, a path or a key: what a string without spaces is made of. */
const NAME = /[\w./-]*[A-Za-z][\w./-]*/g;
const IMPORTS = new Set(['from', 'import', 'require', 'declare']);

/** @returns `{ passages, words }`; a word is `{ text, line }` */
export function literalsOf(tokens) {
  const passages = [];
  const words = [];
  const significant = tokens.filter(({ type }) => type !== 'comment');
  for (let index = 0; index < significant.length; index++) {
    const token = significant[index];
    if (token.type !== 'string' || isImport(significant, index)) continue;
    const pieces = [...token.pieces];
    while (isString(significant[index + 2]) && significant[index + 1].text === '+') {
      index += 2;
      pieces.push(...significant[index].pieces);
    }
    const text = pieces.map((piece) => piece.text).join('');
    if (/\s/.test(text.trim())) passages.push(...linesOf(pieces).map((line) => passageOf('string', line)));
    else for (const [word] of text.matchAll(NAME)) words.push({ text: word, line: token.line });
  }
  return { passages, words };
}

/**
 * Each line of a string is a passage of its own: a table, a script or a list has no sentences across lines.
 */
function linesOf(pieces) {
  const lines = [[]];
  for (const { text, line } of pieces) {
    let number = line;
    for (const [part] of text.matchAll(/[^\n\v]+|[\n\v]/g)) {
      if (part === '\n') number++;
      if (part === '\n' || part === '\v') lines.push([]);
      else lines.at(-1).push({ text: part, line: number });
    }
  }
  return lines.filter((line) => line.some(({ text }) => text.trim()));
}

const isString = (token) => token?.type === 'string';

/**
 * `from './x'`, `import './x'`, `import('./x')`, `require('./x')`: the file of that name is linted itself.
 */
function isImport(tokens, index) {
  const before = tokens[index - 1];
  if (!before) return false;
  return IMPORTS.has(before.text) || (before.text === '(' && IMPORTS.has(tokens[index - 2]?.text));
}
