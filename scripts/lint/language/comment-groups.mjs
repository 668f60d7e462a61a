/** Finds the comments of a file and groups those that are read as one text. */
import { blocksOf } from './prose-blocks.mjs';

/** Addressed to a tool, not to a reader. */
const DIRECTIVE =
  /^\s*(?:eslint|oxlint|oxfmt|prettier|istanbul|c8|v8|swc|ts)-(?:disable|enable|ignore|expect)|^\s*@(?:ts-\w+|type\b|import\b|jest-environment)|^\s*\/\s*<(?:reference|amd)|^\s*[#@]__|^\s*shellcheck /;

/** Comments of code. Line comments on successive lines at one column are one text; the rest stand alone. */
export function codeComments(tokens) {
  const groups = [];
  let open = null;
  for (const token of tokens) {
    if (token.type !== 'comment') {
      open = null;
      continue;
    }
    const { text, line, column, first } = token;
    if (text.startsWith('/*')) {
      groups.push(linesOfBlock(text, line));
      open = null;
    } else if (open && first && open.column === column && open.line === line - 1) {
      open.lines.push({ text: text.slice(2).replace(/^ /, ''), line });
      open.line = line;
    } else {
      open = { column, line, lines: [{ text: text.slice(2).replace(/^ /, ''), line }] };
      groups.push(open.lines);
    }
  }
  return groups;
}

/** Comments of a stylesheet or a page. */
export function markupComments(source, pattern) {
  const lineOf = lineCounter(source);
  return [...source.matchAll(pattern)].map((match) => linesOfBlock(match[0], lineOf(match.index)));
}

export const CSS_COMMENT = /\/\*[\s\S]*?\*\//g;
export const HTML_COMMENT = /<!--[\s\S]*?-->/g;

/** Comments that begin with `#`: YAML, shell, ignore files. A `#` inside quotes is missed on purpose. */
export function hashComments(source) {
  const groups = [];
  let open = null;
  for (const [index, text] of source.split('\n').entries()) {
    const found = /^(\s*)#(?!!)\s?(.*)$/.exec(text) ?? /^([^#'"]*\s)#\s(.*)$/.exec(text);
    const alone = found && found[1].trim() === '';
    if (!found) open = null;
    else if (open && alone) open.push({ text: found[2], line: index + 1 });
    else {
      const lines = [{ text: found[2], line: index + 1 }];
      groups.push(lines);
      open = alone ? lines : null;
    }
  }
  return groups;
}

/** @returns `{ passages, cells, lines }`; `lines` holds the number of each line that has a comment */
export function readComments(groups) {
  const read = { passages: [], cells: [], lines: [] };
  for (const group of groups) {
    for (const { line } of group) read.lines.push(line);
    const prose = group.map(({ text, line }) => ({ text: DIRECTIVE.test(text) ? '' : text, line }));
    const { passages, cells } = blocksOf('comment', prose);
    read.passages.push(...passages);
    read.cells.push(...cells);
  }
  return read;
}

function linesOfBlock(text, line) {
  const inner = text.replace(/^(?:\/\*+!?|<!--)/, '').replace(/(?:\*+\/|-->)$/, '');
  return inner.split('\n').map((one, index) => ({
    text: index === 0 ? one.trim() : one.replace(/^\s*\* ?/, ''),
    line: line + index,
  }));
}

function lineCounter(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
