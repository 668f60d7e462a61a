import { type HiddenValue, type Needle, needlesOf } from './needles';
import { latin1Of, type View, viewsOf } from './spellings';

/** A part of a text, in bytes, that shows a secret. */
interface Span {
  from: number;
  to: number;
  name: string;
}

/** A target may cut a secret. So this much of it is hidden at the end of a text; its half, if it is short. */
const MIN_CUT_BYTES = 6;
/** Longest spelling of a byte: `\u00e9` in JSON; in two layers, `%5Cu00e9`. */
const LONGEST_SPELLING = 8;

/**
 * Replaces secrets in texts by `[secret NAME]`. It finds them as they are, in base64 or base64url at any
 * offset, percent-encoded, and escaped as in JSON. Its cost is linear in the text.
 */
export class Redactor {
  private readonly needles: readonly Needle[];
  /** A text that is to be cut has to be read this much further, so that no secret is cut. In bytes. */
  readonly marginBytes: number;

  constructor(hidden: readonly HiddenValue[]) {
    this.needles = needlesOf(hidden);
    const longest = Math.max(0, ...this.needles.map(({ text }) => text.length));
    this.marginBytes = longest * LONGEST_SPELLING;
  }

  /** The text without secrets. */
  text(text: string): string {
    return this.needles.length === 0 ? text : this.bytes(Buffer.from(text, 'utf8')).toString('utf8');
  }

  /**
   * The first `limit` bytes of a text without secrets. A secret that begins before the limit is replaced as a
   * whole, so the result may be longer.
   */
  bytes(given: Uint8Array, limit = Number.POSITIVE_INFINITY): Buffer {
    const bytes = Buffer.from(given);
    if (this.needles.length === 0) return bytes.subarray(0, limit);
    const text = bytes.toString('latin1');
    const parts: string[] = [];
    let at = 0;
    for (const { from, to, name } of this.spansIn(text)) {
      if (from >= limit || to <= at) continue;
      parts.push(text.slice(at, Math.max(at, from)), latin1Of(`[secret ${name}]`));
      at = to;
    }
    parts.push(text.slice(at, Math.max(at, limit)));
    return Buffer.from(parts.join(''), 'latin1');
  }

  /** In order of where they begin, the longest first. They may overlap. */
  private spansIn(text: string): Span[] {
    const spans = viewsOf(text).flatMap((view) =>
      this.needles.flatMap((needle) => [...spansOf(needle, view)]),
    );
    return spans.sort((a, b) => a.from - b.from || b.to - a.to);
  }
}

/** Hides nothing. */
export const NOTHING_HIDDEN = new Redactor([]);

/** Where the needle stands in a view, as positions of the original; also its beginning at the view's end. */
function* spansOf({ name, text: sought, before, after, fallbacks }: Needle, view: View): Generator<Span> {
  const { text, starts } = view;
  const positionOf = (index: number): number => (starts ? starts[index]! : index);
  const span = (from: number, to: number): Span => ({
    name,
    from: positionOf(Math.max(0, from - before)),
    to: positionOf(Math.min(text.length, to + after)),
  });
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    while (length > 0 && (length === sought.length || text[at] !== sought[length]))
      length = fallbacks[length]!;
    if (text[at] === sought[length]) length += 1;
    if (length === sought.length) yield span(at + 1 - length, at + 1);
  }
  if (length >= Math.min(MIN_CUT_BYTES, sought.length / 2) && length < sought.length)
    yield span(text.length - length, text.length);
}
