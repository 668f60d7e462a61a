/**
 * Cuts Markdown, or the text of a comment, into passages: paragraphs, headings, list items, cells of tables
 * and labels of diagrams. Code is left out.
 */
import { passageOf } from './passage.mjs';

const FENCE = /^\s*(```+|~~~+)\s*(\w*)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|[\s|:-]+\|\s*$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const HEADING = /^\s{0,3}#{1,6}\s+/;
const RULE_OR_UNDERLINE = /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^\s*>\s?/;
const LINK_DEFINITION = /^\s*\[[^\]]+\]:\s+\S+\s*$/;
const INDENTED_CODE = /^(?: {4,}|\t)\S/;
const DOC_TAG = /^\s*@[a-zA-Z]+(?:\s+\{[^}]*\})?(?:\s+[\w.[\]=]+\s+-)?\s*/;
const PARAM_TAG = /^\s*@(?:param|template|property|typeParam)\s+(?:\{[^}]*\}\s*)?[\w.[\]=]+\s*-?\s*/;
/** In a comment, `value`: or `value` – after a full stop, colon or semicolon defines a value of a list. */
const DEFINITION = /^\s*`[^`]+`(?: (?:and|or) `[^`]+`)*(?::| [–-]) /;
const MAY_PRECEDE_DEFINITION = /[.:;]\s*$/;
/** The labelled lines of a store's docstring begin a passage of their own. */
const LABEL = /^\s*(?:Key|Condition|Cost|Lost race|Errors|Order|Units): /;

/**
 * @param kind `doc` or `comment`: in comments, `@param x` and the like begin a passage
 * @param lines `{ text, line }`, without comment markers
 * @returns `{ passages, cells }`; a cell is `{ line, raw }`
 */
export function blocksOf(kind, lines) {
  const blocks = new Blocks(kind);
  for (const line of lines) blocks.read(line);
  blocks.flush();
  return { passages: blocks.passages, cells: blocks.cells };
}

class Blocks {
  passages = [];
  cells = [];
  open = [];
  fence = null;
  inList = false;
  afterBlank = true;

  constructor(kind) {
    this.kind = kind;
  }

  flush() {
    if (this.open.length > 0) this.passages.push(passageOf(this.kind, this.open));
    this.open = [];
  }

  begin(text, line) {
    this.flush();
    this.open.push({ text: `${text}\n`, line });
  }

  read({ text, line }) {
    if (this.readFence(text, line)) return;
    const wasBlank = this.afterBlank;
    this.afterBlank = text.trim() === '';
    if (this.afterBlank || RULE_OR_UNDERLINE.test(text) || LINK_DEFINITION.test(text)) return this.flush();
    if (TABLE_ROW.test(text)) return this.readRow(text, line);
    if (!this.inList && this.open.length === 0 && INDENTED_CODE.test(text)) {
      this.afterBlank = wasBlank;
      return;
    }
    this.readText(text, line, wasBlank);
  }

  readText(text, line, wasBlank) {
    const prefix = this.prefixOf(text);
    if (prefix) this.inList = LIST_ITEM.test(text);
    else if (wasBlank && /^\S/.test(text)) this.inList = false;
    const rest = text.slice(prefix?.length ?? 0).replace(QUOTE, '');
    if (prefix !== null || LABEL.test(text) || this.isDefinition(text)) this.begin(rest, line);
    else this.open.push({ text: `${rest}\n`, line });
    if (HEADING.test(text) && this.kind === 'doc') this.flush();
  }

  isDefinition(text) {
    const before = this.open.at(-1)?.text ?? '';
    return this.kind === 'comment' && DEFINITION.test(text) && MAY_PRECEDE_DEFINITION.test(before);
  }

  prefixOf(text) {
    const patterns = this.kind === 'doc' ? [HEADING, LIST_ITEM] : [PARAM_TAG, DOC_TAG, LIST_ITEM];
    for (const pattern of patterns) {
      const found = pattern.exec(text);
      if (found) return found[0];
    }
    return null;
  }

  /** Fences hide code from every rule; the labels of a diagram are still read for terms. */
  readFence(text, line) {
    const found = FENCE.exec(text);
    if (this.fence) {
      if (found && found[1].startsWith(this.fence.mark) && found[2] === '') this.fence = null;
      else if (this.fence.language === 'mermaid') this.passages.push(passageOf('diagram', [{ text, line }]));
      return true;
    }
    if (!found) return false;
    this.flush();
    this.fence = { mark: found[1], language: found[2] };
    return true;
  }

  readRow(text, line) {
    this.flush();
    if (TABLE_RULE.test(text)) return;
    for (const raw of cellsOf(text)) {
      this.cells.push({ line, raw });
      if (raw) this.passages.push(passageOf('cell', [{ text: raw, line }]));
    }
  }
}

/** Splits at each `|` that is neither escaped nor in a code span. */
function cellsOf(row) {
  const cells = [];
  let cell = '';
  for (const [part] of row
    .trim()
    .slice(1)
    .matchAll(/`[^`]*`|\\.|[^|]|\|/g)) {
    if (part === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += part;
  }
  return cells;
}
