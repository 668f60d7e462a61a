/** Reads a file into what the rules need: passages of prose, names, cells, and the lines that hold prose. */
import { tokensOf } from './code-tokens.mjs';
import {
  codeComments,
  CSS_COMMENT,
  hashComments,
  HTML_COMMENT,
  markupComments,
  readComments,
} from './comment-groups.mjs';
import { kindOf } from './files.mjs';
import { literalsOf } from './literals.mjs';
import { blocksOf } from './prose-blocks.mjs';

/**
 * @returns `{ path, kind, lines, tokens, passages, cells, proseLines, names, words }`:
 *   `names` are identifiers in code, `words` are string literals without a space; each is `{ text, line }`
 */
export function readFile(path, source) {
  const kind = kindOf(path);
  const lines = source.split('\n');
  const file = {
    path,
    kind,
    lines,
    tokens: [],
    passages: [],
    cells: [],
    proseLines: [],
    names: [],
    words: [],
  };
  if (kind === 'code') return readCode(file, source);
  if (kind === 'doc') return readDoc(file);
  const groups = {
    css: () => markupComments(source, CSS_COMMENT),
    html: () => markupComments(source, HTML_COMMENT),
    hash: () => hashComments(source),
  }[kind]();
  const { passages, cells, lines: proseLines } = readComments(groups);
  return Object.assign(file, { passages, cells, proseLines });
}

function readCode(file, source) {
  file.tokens = tokensOf(source);
  const comments = readComments(codeComments(file.tokens));
  const { passages, words } = literalsOf(file.tokens);
  file.passages = [...comments.passages, ...passages];
  file.cells = comments.cells;
  file.proseLines = comments.lines;
  file.names = file.tokens.filter(({ type }) => type === 'name');
  file.words = words;
  return file;
}

function readDoc(file) {
  const { passages, cells } = blocksOf(
    'doc',
    file.lines.map((text, index) => ({ text, line: index + 1 })),
  );
  file.passages = passages;
  file.cells = cells;
  file.proseLines = widthCheckedLines(file.lines);
  return file;
}

/** Lines of a document outside tables and fences. */
function widthCheckedLines(lines) {
  const checked = [];
  let fence = null;
  for (const [index, text] of lines.entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(text)?.[1];
    if (fence) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark) fence = mark;
    else if (!/^\s*\|/.test(text)) checked.push(index + 1);
  }
  return checked;
}
