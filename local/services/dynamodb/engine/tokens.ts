import { Unsupported } from './errors';

/** One token of a DynamoDB expression: a word, a `#name`, a `:value`, a number, or punctuation. */
const TOKEN = /\s*(#\w+|:\w+|[A-Za-z_]\w*|\d+|<=|>=|[<>=(),.[\]+-])/y;

/** Reads an expression token by token; words compare without case, as DynamoDB's do. */
export class Tokens {
  private readonly tokens: string[] = [];
  private at = 0;

  constructor(private readonly expression: string) {
    TOKEN.lastIndex = 0;
    let read = 0;
    for (let match = TOKEN.exec(expression); match; match = TOKEN.exec(expression)) {
      this.tokens.push(match[1]!);
      read = TOKEN.lastIndex;
    }
    if (expression.slice(read).trim() !== '') throw this.unsupported(expression.slice(read).trim());
  }

  get done(): boolean {
    return this.at === this.tokens.length;
  }

  peek(): string {
    return this.tokens[this.at] ?? '';
  }

  next(): string {
    if (this.done) throw this.unsupported('its end');
    return this.tokens[this.at++]!;
  }

  /** Takes the token if it is the one given. */
  take(token: string): boolean {
    if (this.peek().toUpperCase() !== token) return false;
    this.at += 1;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.unsupported(this.peek());
  }

  unsupported(token: string): Error {
    return new Unsupported(
      `unsupported in expression ${JSON.stringify(this.expression)}: ${JSON.stringify(token)}`,
    );
  }
}
