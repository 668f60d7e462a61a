import {
  type Argument,
  type Expression,
  type FilterCall,
  MAX_FILTERS,
  MAX_STEPS,
  type Path,
  type SecretReference,
  SECRETS,
  type Step,
} from './syntax';
import { shown, TemplateError } from './template-error';

const NAME_START = /[A-Za-z_]/;
const NAME = /[A-Za-z0-9_-]/;
const DIGIT = /[0-9]/;
const SPACE = /[ \t\r\n]/;

/** Reads an expression from left to right. It never goes back, so its cost is that of the text. */
class ExpressionReader {
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

const CONSTANTS: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Parses what stands between the braces. Throws `TemplateError`, whose message does not name the expression.
 */
export function parseExpression(given: string): Expression | SecretReference {
  const text = given.trim();
  const reader = new ExpressionReader(text);
  const parser = new ExpressionParser(reader);
  const path = parser.path();
  const filters = parser.filters();
  if (!reader.isAtEnd) reader.fail('"|" or "}}"');
  if (path.root !== SECRETS) return { kind: 'expression', text, path, filters };
  return { kind: 'secret', text, name: secretNameOf(path, filters) };
}

function secretNameOf({ steps }: Path, filters: readonly FilterCall[]): string {
  const [name, ...more] = steps;
  if (typeof name !== 'string' || more.length > 0)
    throw new TemplateError('a secret is named in one step: secrets.NAME');
  if (filters.length > 0) throw new TemplateError('no filter may follow a secret');
  return name;
}

class ExpressionParser {
  private stepsRead = 0;

  constructor(private readonly reader: ExpressionReader) {}

  path(): Path {
    const root = this.reader.takeName();
    if (root === undefined) return this.reader.fail('a name such as "run"');
    if (CONSTANTS.has(root)) throw new TemplateError(`${shown(root)} is no root: it may be an argument`);
    return this.pathFrom(root);
  }

  filters(): FilterCall[] {
    const filters: FilterCall[] = [];
    this.reader.skipSpace();
    while (this.reader.take('|')) {
      if (filters.length === MAX_FILTERS) throw new TemplateError(`has more than ${MAX_FILTERS} filters`);
      filters.push(this.filter());
      this.reader.skipSpace();
    }
    return filters;
  }

  private pathFrom(root: string): Path {
    const steps: Step[] = [];
    for (let step = this.step(); step !== undefined; step = this.step()) {
      this.stepsRead += 1;
      if (this.stepsRead > MAX_STEPS) throw new TemplateError(`has more than ${MAX_STEPS} steps`);
      steps.push(step);
    }
    return { kind: 'path', root, steps };
  }

  /** `.name`, `[-1]` or `['any text']` */
  private step(): Step | undefined {
    if (this.reader.take('.')) return this.reader.takeName() ?? this.reader.fail('a name');
    if (!this.reader.take('[')) return undefined;
    const step = this.reader.takeQuoted() ?? this.index();
    this.reader.expect(']');
    return step;
  }

  private index(): number {
    const index = this.reader.takeNumber() ?? this.reader.fail("a whole number or a text in '…'");
    if (Number.isSafeInteger(index)) return index;
    throw new TemplateError(`[${index}] is no index: it must be a whole number`);
  }

  private filter(): FilterCall {
    this.reader.skipSpace();
    const name = this.reader.takeName() ?? this.reader.fail('the name of a filter');
    const args: Argument[] = [];
    this.reader.skipSpace();
    if (!this.reader.take('(')) return { name, args };
    do {
      this.reader.skipSpace();
      args.push(this.argument());
      this.reader.skipSpace();
    } while (this.reader.take(','));
    this.reader.expect(')');
    return { name, args };
  }

  private argument(): Argument {
    const literal = this.reader.takeQuoted() ?? this.reader.takeNumber();
    if (literal !== undefined) return { kind: 'literal', value: literal };
    const name = this.reader.takeName() ?? this.reader.fail("a text in '…', a number or a path");
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return { kind: 'literal', value: constant };
    if (name === SECRETS) throw new TemplateError('a secret cannot be an argument');
    return this.pathFrom(name);
  }
}
