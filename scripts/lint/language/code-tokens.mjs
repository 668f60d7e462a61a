/**
 * Splits TypeScript or JavaScript into tokens. It knows just enough of the grammar to tell comments, strings,
 * templates and regular expressions apart; TypeScript 7 has no API to parse with.
 *
 * Token: `{ type, text, line, column, first }`. `type` is `comment`, `string`, `name`, `number`, `regex` or
 * `punct`. `first` is true where nothing but white space precedes the token on its line. A `string` token
 * carries `pieces`, one for each part of a template; an interpolated value becomes a filler.
 */
import { FILLER } from './passage.mjs';

const SPACE = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const NAME = /#?[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]+)?(?:e[+-]?\d+)?|\.\d[\d_]*)n?/iy;
const REGEX = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const HASHBANG = /^#![^\n]*/;
/** A `/` after one of these words begins a regular expression. */
const BEFORE_REGEX = /^(?:return|typeof|case|in|of|do|else|await|yield|void|delete|throw|new|instanceof)$/;

export function tokensOf(source) {
  const lexer = new Lexer(source);
  lexer.skipHashbang();
  lexer.readUntil(null);
  return lexer.tokens;
}

class Lexer {
  tokens = [];
  at = 0;
  line = 1;
  lineStart = 0;
  first = true;
  /** The last token that is not a comment: it decides what a `/` means. */
  before = null;

  constructor(source) {
    this.source = source;
  }

  skipHashbang() {
    this.at = HASHBANG.exec(this.source)?.[0].length ?? 0;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0] ?? null;
  }

  advance(text) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.line++;
      this.lineStart = this.at + at + 1;
      this.first = true;
    }
    this.at += text.length;
  }

  push(type, text, extra = {}) {
    const { line, first } = this;
    const token = { type, text, line, column: this.at - this.lineStart, first, ...extra };
    this.tokens.push(token);
    this.first = false;
    if (type !== 'comment') this.before = token;
  }

  /** Reads tokens up to a closing brace that nothing here opened (`close` is '}'), or to the end. */
  readUntil(close) {
    let depth = 0;
    while (this.at < this.source.length) {
      const space = this.match(SPACE);
      if (space) {
        this.advance(space);
        continue;
      }
      const next = this.source[this.at];
      if (next === '}' && close && depth === 0) return;
      if (next === '{') depth++;
      if (next === '}') depth--;
      if (next === '`') this.readTemplate();
      else this.readToken(next);
    }
  }

  readToken(next) {
    const comment = next === '/' ? this.match(COMMENT) : null;
    if (comment) return this.take('comment', comment);
    const regex = next === '/' && this.mayBeRegex() ? this.match(REGEX) : null;
    if (regex) return this.take('regex', regex);
    const string = next === "'" || next === '"' ? this.match(STRING) : null;
    if (string) return this.takeString(string);
    const name = this.match(NAME);
    if (name) return this.take('name', name);
    const number = this.match(NUMBER);
    if (number) return this.take('number', number);
    return this.take('punct', next);
  }

  take(type, text) {
    this.push(type, text);
    this.advance(text);
    this.first = text.includes('\n') ? false : this.first;
  }

  takeString(string) {
    const text = unescaped(string.slice(1, -1));
    this.push('string', text, { pieces: [{ text, line: this.line }] });
    this.advance(string);
  }

  readTemplate() {
    const index = this.tokens.length;
    this.push('string', '', { pieces: [] });
    const token = this.tokens[index];
    this.advance('`');
    for (;;) {
      const part = this.match(TEMPLATE_PART) ?? '';
      token.pieces.push({ text: unescaped(part), line: this.line });
      this.advance(part);
      if (!this.source.startsWith('${', this.at)) break;
      this.advance('${');
      token.pieces.push({ text: FILLER, line: this.line });
      this.before = null;
      this.readUntil('}');
      this.advance('}');
    }
    this.advance('`');
    this.first = false;
    this.before = token;
    token.text = token.pieces.map((piece) => piece.text).join('');
  }

  mayBeRegex() {
    const { before } = this;
    if (!before) return true;
    if (before.type === 'name') return BEFORE_REGEX.test(before.text);
    return before.type === 'punct' && !/[)\]}]/.test(before.text);
  }
}

/** An escaped line break becomes a vertical tab: white space that does not count as a line of the file. */
const unescaped = (text) =>
  text.includes('\\') ? text.replace(/\\[nrt]/g, '\v').replace(/\\(['"`\\$])/g, '$1') : text;
