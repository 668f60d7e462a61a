/**
 * A text as another reader would understand it. All texts here have one character for each byte (latin1).
 * `starts[i]` is where the original of character `i` begins, and `stops[i]` where it stops.
 */
export interface View {
  text: string;
  /** Undefined: the view is the original. */
  positions: { starts: Int32Array; stops: Int32Array } | undefined;
}

type Decode = (text: string, at: number) => { bytes: string; length: number } | undefined;

/** `%41` is `A`. */
const percent: Decode = (text, at) => {
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  const code = numberAt(text, at + 1, 2, HEX);
  return code === undefined ? undefined : { bytes: String.fromCharCode(code), length: 3 };
};

/** In a form, `%41` is `A` and `+` is a space. */
const form: Decode = (text, at) =>
  text.charCodeAt(at) === PLUS ? { bytes: ' ', length: 1 } : percent(text, at);

/** Escapes of JSON texts: `\n`, `\/`, `\u0041`, also of a pair of surrogates. */
const json: Decode = (text, at) => {
  if (text.charCodeAt(at) !== BACKSLASH) return undefined;
  const letter = text.charAt(at + 1);
  if (letter !== 'u') {
    const bytes = JSON_ESCAPES.get(letter);
    return bytes === undefined ? undefined : { bytes, length: 2 };
  }
  const first = numberAt(text, at + 2, 4, HEX);
  if (first === undefined) return undefined;
  const isHigh = first >= 0xd800 && first <= 0xdbff;
  const second = isHigh && text.startsWith('\\u', at + 6) ? numberAt(text, at + 8, 4, HEX) : undefined;
  const isPair = second !== undefined && second >= 0xdc00 && second <= 0xdfff;
  const units = isPair ? [first, second] : [first];
  return { bytes: latin1Of(String.fromCharCode(...units)), length: isPair ? 12 : 6 };
};

/** Character references of HTML: `&quot;`, `&#65;`, `&#x41;`. */
const html: Decode = (text, at) => {
  if (text.charCodeAt(at) !== AMPERSAND) return undefined;
  const [name = '', ...rest] = text.slice(at + 1, at + LONGEST_REFERENCE).split(';', 2);
  if (rest.length === 0) return undefined;
  const bytes = HTML_NAMES.get(name) ?? numbered(name);
  return bytes === undefined ? undefined : { bytes, length: name.length + 2 };
};

function numbered(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:[xX]([0-9A-Fa-f]+)|([0-9]+))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
  return code <= LAST_CODE_POINT ? latin1Of(String.fromCodePoint(code)) : undefined;
}

const PERCENT = '%'.charCodeAt(0);
const PLUS = '+'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const AMPERSAND = '&'.charCodeAt(0);
const LONGEST_REFERENCE = '&#x0010FFFF;'.length;
const LAST_CODE_POINT = 0x10ffff;
const HEX = /^[0-9A-Fa-f]+$/;
const JSON_ESCAPES: ReadonlyMap<string, string> = new Map([
  ...['"', '\\', '/'].map((same) => [same, same] as const),
  ...Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
]);
/** What escapers of HTML write by name. */
const HTML_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00c2\u00a0' }),
);

function numberAt(text: string, at: number, digits: number, kind: RegExp): number | undefined {
  const spelled = text.slice(at, at + digits);
  return spelled.length === digits && kind.test(spelled) ? Number.parseInt(spelled, 16) : undefined;
}

/** One character for each byte of the text in UTF-8. */
export const latin1Of = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** The ways in which a text is read: with each kind of escapes removed, up to two deep. */
const READINGS: readonly (readonly Decode[])[] = [
  [json],
  [percent],
  [form],
  [html],
  [json, percent],
  [json, form],
  [json, json],
  [json, html],
  [html, json],
  [percent, json],
  [percent, percent],
];
/** A character of base64 has 6 bits of 8. So a text may be in it at one of four positions. */
const PHASES = [0, 1, 2, 3];
/** What may be removed from what was in base64. OAuth asks clients to encode a form first. */
const INSIDE_BASE64 = [json, percent, form];

/** A text without escapes has at most so many views. None is longer than the text. */
export const MOST_VIEWS_OF_PLAIN = 1 + PHASES.length * (1 + INSIDE_BASE64.length);

/** The text itself, all views of it that differ, and what each of these has in base64. */
export function* viewsOf(text: string): Generator<View> {
  const whole: View = { text, positions: undefined };
  yield* withBase64(whole);
  for (const [first, second] of READINGS) {
    const once = decoded(whole, first!);
    const view = second && once ? decoded(once, second) : once;
    if (view) yield* withBase64(view);
  }
}

function* withBase64(view: View): Generator<View> {
  yield view;
  for (const phase of PHASES) {
    const bytes = base64Decoded(view, phase);
    if (!bytes) continue;
    yield bytes;
    for (const decode of INSIDE_BASE64) {
      const inside = decoded(bytes, decode);
      if (inside) yield inside;
    }
  }
}

const startOf = ({ positions }: View, at: number): number => (positions ? positions.starts[at]! : at);
const endOf = ({ positions }: View, at: number): number => (positions ? positions.stops[at]! : at + 1);

/** Collects the characters of a view, and where each of them stands in the original. */
class ViewBuilder {
  private readonly codes: Uint16Array;
  private readonly starts: Int32Array;
  private readonly stops: Int32Array;
  private length = 0;

  constructor(most: number) {
    this.codes = new Uint16Array(most);
    this.starts = new Int32Array(most);
    this.stops = new Int32Array(most);
  }

  put(code: number, start: number, end: number): void {
    this.codes[this.length] = code;
    this.starts[this.length] = start;
    this.stops[this.length] = end;
    this.length += 1;
  }

  /** Undefined: it has no characters. */
  view(): View | undefined {
    if (this.length === 0) return undefined;
    const text = Buffer.from(this.codes.buffer, 0, this.length * 2).toString('utf16le');
    return { text, positions: { starts: this.starts, stops: this.stops } };
  }
}

/** The view with the escapes of one kind removed; undefined if it has none. */
function decoded(view: View, decode: Decode): View | undefined {
  const { text } = view;
  let builder: ViewBuilder | undefined;
  for (let at = 0; at < text.length;) {
    const escape = decode(text, at);
    if (escape && !builder) {
      builder = new ViewBuilder(text.length);
      for (let before = 0; before < at; before++)
        builder.put(text.charCodeAt(before), startOf(view, before), endOf(view, before));
    }
    if (!escape) {
      builder?.put(text.charCodeAt(at), startOf(view, at), endOf(view, at));
      at += 1;
      continue;
    }
    const end = endOf(view, at + escape.length - 1);
    for (let index = 0; index < escape.bytes.length; index++)
      builder!.put(escape.bytes.charCodeAt(index), startOf(view, at), end);
    at += escape.length;
  }
  return builder?.view();
}

const NO_DIGIT = 0xff;
const LINE_BREAK = 0xfe;
/** Between two runs: this character is in no needle. */
const GAP = 0x100;
const BASE64_DIGITS = base64Digits();

function base64Digits(): Uint8Array {
  const digits = new Uint8Array(GAP).fill(NO_DIGIT);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  for (const text of [`${alphabet}+/`, `${alphabet}-_`])
    for (let digit = 0; digit < text.length; digit++) digits[text.charCodeAt(digit)] = digit;
  digits['\n'.charCodeAt(0)] = LINE_BREAK;
  digits['\r'.charCodeAt(0)] = LINE_BREAK;
  return digits;
}

/**
 * The bytes that runs of base64 or base64url in a view encode, if the first byte begins after `phase`
 * characters of a run. A run may be wrapped into lines. Undefined: there are none.
 */
function base64Decoded(view: View, phase: number): View | undefined {
  const { text } = view;
  const builder = new ViewBuilder(text.length);
  let [held, bits, last, left] = [0, 0, 0, phase];
  let isOpen = false;
  for (let at = 0; at < text.length; at++) {
    const digit = BASE64_DIGITS[text.charCodeAt(at)] ?? NO_DIGIT;
    if (digit === LINE_BREAK) continue;
    if (digit === NO_DIGIT) {
      if (isOpen) builder.put(GAP, at, at);
      [held, bits, left, isOpen] = [0, 0, phase, false];
      continue;
    }
    if (left > 0) {
      left -= 1;
      continue;
    }
    held = ((held << 6) | digit) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      builder.put((held >> bits) & 0xff, startOf(view, last), endOf(view, at));
      isOpen = true;
    }
    last = at;
  }
  return builder.view();
}
