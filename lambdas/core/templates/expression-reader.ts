import { shown, TemplateError } from './template-error';

const NAME_START = /[A-Za-z_]/;
const NAME = /[A-Za-z0-9_-]/;
const DIGIT = /[0-9]/;
const SPACE = /[ \t\r\n]/;

/** Reads an expression from left to right. It never goes back, so its cost is that of the text. */
export class ExpressionReader {
  private at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  skipSpace(): void {
    this.skip(SPACE);
  }

  /** Whether `character` comes next; it is then read. */
  take(character: string): boolean {
    if (this.text.charAt(this.at) !== character) return false;
    this.at += 1;
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) this.fail(`"${character}"`);
  }

  /** A name, or undefined if none comes next. */
  takeName(): string | undefined {
    return this.is(NAME_START) ? this.skip(NAME) : undefined;
  }

  /** The text between single quotes, or undefined if no quote comes next. A quote in the text is doubled. */
  takeQuoted(): string | undefined {
    if (!this.take("'")) return undefined;
    const pieces: string[] = [];
    do {
      const from = this.at;
      while (!this.isAtEnd && this.text.charAt(this.at) !== "'") this.at += 1;
      pieces.push(this.text.slice(from, this.at));
      this.expect("'");
    } while (this.take("'"));
    return pieces.join("'");
  }

  /** A number, or undefined if none comes next. */
  takeNumber(): number | undefined {
    const sign = this.take('-') ? '-' : '';
    if (!this.is(DIGIT)) return sign === '' ? undefined : this.fail('a digit');
    const whole = this.skip(DIGIT);
    if (!this.take('.')) return Number(sign + whole);
    return this.is(DIGIT) ? Number(`${sign}${whole}.${this.skip(DIGIT)}`) : this.fail('a digit');
  }

  /** Throws `TemplateError`: `expected` does not come next. */
  fail(expected: string): never {
    const read = this.text.slice(0, this.at).trim();
    const rest = this.text.slice(this.at).trim();
    const after = read === '' ? 'at the beginning' : `after ${shown(read)}`;
    throw new TemplateError(
      `expected ${expected} ${after}, ${rest === '' ? 'where it ends' : `not ${shown(rest)}`}`,
    );
  }

  private is(kind: RegExp): boolean {
    return !this.isAtEnd && kind.test(this.text.charAt(this.at));
  }

  private skip(kind: RegExp): string {
    const from = this.at;
    while (this.is(kind)) this.at += 1;
    return this.text.slice(from, this.at);
  }
}
