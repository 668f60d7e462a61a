/**
 * A text as another reader would understand it. All texts here have one character for each byte (latin1).
 * `starts[i]` is where the character `i` of the view begins in the original; the last one is its end.
 */
export interface View {
  text: string;
  starts: Int32Array | undefined;
}

type Decode = (text: string, at: number) => { bytes: string; length: number } | undefined;

/** `%41` is `A`. */
const percent: Decode = (text, at) => {
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  const code = hex(text, at + 1, 2);
  return code === undefined ? undefined : { bytes: String.fromCharCode(code), length: 3 };
};

/** The same in a form, where `+` is a space. */
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
  const first = hex(text, at + 2, 4);
  if (first === undefined) return undefined;
  const second = isHighSurrogate(first) && text.startsWith('\\u', at + 6) ? hex(text, at + 8, 4) : undefined;
  const isPair = second !== undefined && second >= 0xdc00 && second <= 0xdfff;
  const units = isPair ? [first, second] : [first];
  return { bytes: latin1Of(String.fromCharCode(...units)), length: isPair ? 12 : 6 };
};

const PERCENT = '%'.charCodeAt(0);
const PLUS = '+'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const JSON_ESCAPES: ReadonlyMap<string, string> = new Map([
  ...['"', '\\', '/'].map((same) => [same, same] as const),
  ...Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
]);

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function hex(text: string, at: number, digits: number): number | undefined {
  const spelled = text.slice(at, at + digits);
  return spelled.length === digits && /^[0-9A-Fa-f]+$/.test(spelled)
    ? Number.parseInt(spelled, 16)
    : undefined;
}

/** One character for each byte of the text in UTF-8. */
export const latin1Of = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** The ways in which a text is read: as it is, and with each kind of escapes removed, up to two deep. */
const READINGS: readonly (readonly Decode[])[] = [
  [json],
  [percent],
  [form],
  [json, percent],
  [json, form],
  [json, json],
  [percent, json],
  [percent, percent],
];

/** All views of a text that differ from it, and the text itself. */
export function viewsOf(text: string): View[] {
  const views: View[] = [{ text, starts: undefined }];
  for (const [first, second] of READINGS) {
    const once = decoded({ text, starts: undefined }, first!);
    const view = second && once ? decoded(once, second) : once;
    if (view) views.push(view);
  }
  return views;
}

/** The view with the escapes of one kind removed; undefined if it has none. */
function decoded({ text, starts: before }: View, decode: Decode): View | undefined {
  const pieces: string[] = [];
  const starts: number[] = [];
  let isDecoded = false;
  for (let at = 0; at < text.length;) {
    const escape = decode(text, at);
    const bytes = escape?.bytes ?? text.charAt(at);
    isDecoded ||= escape !== undefined;
    for (let index = 0; index < bytes.length; index++) starts.push(before ? before[at]! : at);
    pieces.push(bytes);
    at += escape?.length ?? 1;
  }
  if (!isDecoded) return undefined;
  starts.push(before ? before[text.length]! : text.length);
  return { text: pieces.join(''), starts: Int32Array.from(starts) };
}
