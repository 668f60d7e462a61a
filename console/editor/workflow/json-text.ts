/** What a piece of JSON is, for its colour. */
export type Kind = 'key' | 'text' | 'number' | 'word' | 'mark' | 'wrong';

export interface Token {
  kind: Kind;
  from: number;
  to: number;
}

/** A value in a text of JSON. */
export interface JsonNode {
  /** Where it begins; a field begins with its name. */
  from: number;
  to: number;
  /** Fields by their names: an object has them, and no other value. */
  fields?: Map<string, JsonNode>;
  items?: JsonNode[];
}

export interface Fault {
  at: number;
  message: string;
}

export interface JsonText {
  /** As far as it could be read. */
  root: JsonNode;
  /** Why it is no JSON. */
  fault: Fault | undefined;
  /** Names that an object has twice: JSON takes the last, and loses the others. */
  repeated: readonly Fault[];
}

const PIECES =
  /(?<text>"(?:[^"\\\n]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<word>[A-Za-z_]\w*)|(?<mark>[{}[\],:])|(?<other>[^ \t\n\r])/g;
const WORDS = ['true', 'false', 'null'];
const KEY = /^[ \t\n\r]*:/;
/** More would be no definition, and ends the reader before its stack does. */
const MAX_DEPTH = 200;

function isValue(piece: string): boolean {
  try {
    JSON.parse(piece);
    return true;
  } catch {
    return false;
  }
}

/** The pieces of a text, or of one line of it: no piece goes beyond its line. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(PIECES)].map((found) => {
    const { groups, index: from } = found;
    const piece = found[0];
    const to = from + piece.length;
    const kindOf = (): Kind => {
      if (groups!.mark !== undefined) return 'mark';
      if (groups!.other !== undefined || !isValue(piece)) return 'wrong';
      if (groups!.number !== undefined) return 'number';
      if (groups!.word !== undefined) return WORDS.includes(piece) ? 'word' : 'wrong';
      return KEY.test(text.slice(to)) ? 'key' : 'text';
    };
    return { kind: kindOf(), from, to };
  });
}

class Unreadable extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

class Reader {
  private readonly tokens: readonly Token[];
  private next = 0;
  readonly repeated: Fault[] = [];

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text);
  }

  private peek(): string {
    const token = this.tokens[this.next];
    return token ? this.text.slice(token.from, token.to) : '';
  }

  /** Takes the next piece, which has to be one of some kinds or marks. */
  private take(wanted: string, ...kinds: string[]): Token {
    const token = this.tokens[this.next];
    const piece = this.peek();
    if (!token) throw new Unreadable(this.text.length, `${wanted} is missing at the end`);
    if (token.kind === 'wrong' && piece.startsWith('"'))
      throw new Unreadable(
        token.from,
        'a text has no end, or a character that JSON does not allow in a text',
      );
    if (!kinds.includes(token.kind) && !kinds.includes(piece))
      throw new Unreadable(token.from, `${wanted} is missing before ${piece.slice(0, 20)}`);
    this.next++;
    return token;
  }

  /** Fills `node` as it goes, so that what was read is there if the text ends too early. */
  value(node: JsonNode, depth: number): void {
    if (depth > MAX_DEPTH) throw new Unreadable(node.from, 'it is nested too deeply');
    const token = this.take('a value', 'text', 'key', 'number', 'word', '{', '[');
    node.to = this.text.length;
    if (token.kind !== 'mark') node.to = token.to;
    else if (this.text[token.from] === '{') node.to = this.object((node.fields = new Map()), depth);
    else node.to = this.list((node.items = []), depth);
  }

  private object(fields: Map<string, JsonNode>, depth: number): number {
    while (this.peek() !== '}') {
      if (fields.size > 0) this.take('a comma', ',');
      const key = this.take('the name of a field', 'key', 'text');
      const name = JSON.parse(this.text.slice(key.from, key.to)) as string;
      if (fields.has(name)) this.repeated.push({ at: key.from, message: `"${name}" is given twice` });
      const node: JsonNode = { from: key.from, to: this.text.length };
      fields.set(name, node);
      this.take('a colon', ':');
      this.value(node, depth + 1);
    }
    return this.take('}', '}').to;
  }

  private list(items: JsonNode[], depth: number): number {
    while (this.peek() !== ']') {
      if (items.length > 0) this.take('a comma', ',');
      const node: JsonNode = { from: this.tokens[this.next]?.from ?? this.text.length, to: this.text.length };
      items.push(node);
      this.value(node, depth + 1);
    }
    return this.take(']', ']').to;
  }

  end(): void {
    const rest = this.tokens[this.next];
    if (rest) throw new Unreadable(rest.from, 'the JSON has ended before this');
  }
}

/** Reads a text of JSON with the places of its values, as far as it goes. */
export function readJson(text: string): JsonText {
  const reader = new Reader(text);
  const root: JsonNode = { from: 0, to: text.length };
  let fault: Fault | undefined;
  try {
    reader.value(root, 0);
    reader.end();
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    fault = { at: thrown.at, message: thrown.message };
  }
  return { root, fault, repeated: reader.repeated };
}

/** Where a dotted path of the API leads: its value, or the nearest around it. */
export function nodeAt(root: JsonNode, path: readonly string[]): JsonNode {
  let node = root;
  for (const step of path) {
    const inner = node.fields?.get(step) ?? node.items?.[Number(step)];
    if (!inner) break;
    node = inner;
  }
  return node;
}

/** The path of the innermost value around a place. */
export function pathAt(root: JsonNode, at: number): string[] {
  const path: string[] = [];
  let inner: (readonly [string, JsonNode])[] = [];
  let node: JsonNode | undefined = root;
  while (node) {
    inner = [
      ...(node.fields ?? []),
      ...(node.items ?? []).map((one, index) => [String(index), one] as const),
    ];
    const found: readonly [string, JsonNode] | undefined = inner.find(
      ([, one]) => one.from <= at && at <= one.to,
    );
    if (found) path.push(found[0]);
    node = found?.[1];
  }
  return path;
}

/** The number of the line of a place, from 1 on. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
