import { Automaton } from './automaton';
import { type HiddenValue, type Needle, needlesOf } from './needles';
import { latin1Of, viewsOf } from './spellings';

/** A part of a text, in bytes, that shows a secret. */
interface Span extends ByteRange {
  needle: Needle;
}

/** Longest spelling of a byte: `\u00e9` in JSON; in two layers, `%5Cu00e9`. */
const LONGEST_SPELLING = 8;
/** A response is read this much further at most. In bytes. */
const MAX_MARGIN_BYTES = 65_536;
/** Before the first byte of a text. */
const NOWHERE = -1;
/** What is kept instead of a line. */
export const NOT_KEPT = '[not kept: the line has a secret in it, or repeats the request]';

/**
 * Keeps secrets out of texts. It finds them as they are, in base64 or base64url at any offset,
 * percent-encoded, and escaped as in JSON or HTML. The cost is that of one pass over each view of the text,
 * however many secrets there are.
 *
 * A reader of a text must not learn from what is hidden whether a guess is right. So nothing depends on a
 * part of a secret. Where `said` is known, a line that repeats it is hidden like one with a secret.
 */
export class Redactor {
  private readonly needles: readonly Needle[];
  private readonly automaton: Automaton;
  /** A text that is to be cut has to be read this much further, so that no secret is cut. In bytes. */
  readonly marginBytes: number;
  /** Steps of the automaton so far. */
  steps = 0;
  private saidNeedles: ReadonlySet<Needle> | undefined;

  /** @param said the texts of the call that its job has chosen, without the secrets in them */
  constructor(
    hidden: readonly HiddenValue[],
    private readonly said: readonly string[] = [],
  ) {
    this.needles = needlesOf(hidden);
    this.automaton = new Automaton(this.needles.map(({ text }) => text));
    const longest = Math.max(0, ...this.needles.map(({ text }) => text.length));
    this.marginBytes = Math.min(longest * LONGEST_SPELLING, MAX_MARGIN_BYTES);
  }

  /**
   * The text with `[secret NAME]` in place of each secret. Secrets that the request has said itself stay:
   * its author knows them, and a mark would say that they are secrets.
   */
  text(text: string): string {
    return this.texts([text])[0]!;
  }

  /** Lines without secrets, as by `text`: a secret with line feeds in it may stand in several. */
  texts(lines: readonly string[]): string[] {
    if (this.needles.length === 0) return [...lines];
    const whole = latin1Of(lines.join('\n'));
    const spans = this.spansIn(whole, Number.POSITIVE_INFINITY).filter(({ needle }) => !this.hasSaid(needle));
    if (spans.length === 0) return [...lines];
    let [from, next] = [0, 0];
    return lines.map((line) => {
      const to = from + Buffer.byteLength(line);
      while (next < spans.length && spans[next]!.to <= from) next += 1;
      const marked = withMarks(whole, { from, to }, spans, next);
      from = to + 1;
      return marked;
    });
  }

  /**
   * The first `limit` bytes of a response. A line that has a secret in it, or repeats the request, is
   * replaced as a whole, so the result may be longer. A response that was cut loses the margin, whatever is
   * in it.
   */
  response(given: Uint8Array, limit: number, { isCut }: { isCut: boolean }): Buffer {
    const bytes = Buffer.from(given);
    if (this.needles.length === 0) return bytes.subarray(0, limit);
    const end = Math.max(0, Math.min(limit, isCut ? bytes.length - this.marginBytes : bytes.length));
    return Buffer.from(this.withoutLines(bytes.toString('latin1'), end), 'latin1');
  }

  /** A message about the call, by the same rule. */
  message(text: string): string {
    const bytes = Buffer.from(text, 'utf8');
    return this.response(bytes, bytes.length, { isCut: false }).toString('utf8');
  }

  private withoutLines(text: string, limit: number): string {
    const shortest = Math.min(...this.needles.map(({ text: needle }) => needle.length));
    const hidden = [...this.spansIn(text, limit), ...repeatsIn(text, this.said, { shortest, limit })];
    if (hidden.length === 0) return text.slice(0, limit);
    const kept: string[] = [];
    let hiddenTo = NOWHERE;
    for (const part of hidden.toSorted((a, b) => a.from - b.from)) {
      if (part.to <= hiddenTo) continue;
      if (part.from > hiddenTo) {
        const from = Math.max(0, hiddenTo);
        const begin = text.lastIndexOf('\n', part.from - 1) + 1;
        kept.push(text.slice(from, Math.max(from, begin)), NOT_KEPT);
      }
      hiddenTo = endOfLine(text, part.to);
    }
    kept.push(text.slice(hiddenTo, Math.max(hiddenTo, limit)));
    return kept.join('');
  }

  private hasSaid(needle: Needle): boolean {
    if (this.said.length === 0) return false;
    const spans = () => this.spansIn(latin1Of(this.said.join('\n')), Number.POSITIVE_INFINITY);
    this.saidNeedles ??= new Set(spans().map((span) => span.needle));
    return this.saidNeedles.has(needle);
  }

  /** Those that begin before `limit`, in order. They may overlap, but none lies within another. */
  private spansIn(text: string, limit: number): Span[] {
    const spans: Span[] = [];
    for (const { text: view, positions } of viewsOf(text))
      this.steps += this.automaton.find(view, (needle, end) => {
        const found = this.needles[needle]!;
        const begin = end - found.text.length;
        const from = positions ? positions.starts[begin]! : begin;
        if (from < limit)
          spans.push({ needle: found, from, to: positions ? positions.stops[end - 1]! : end });
      });
    let last = NOWHERE;
    return spans
      .sort((a, b) => a.from - b.from || b.to - a.to)
      .filter(({ to }) => {
        if (to <= last) return false;
        last = to;
        return true;
      });
  }
}

/** Hides nothing. */
export const NOTHING_HIDDEN = new Redactor([]);

/** Where the last line of a range stops. */
function endOfLine(text: string, to: number): number {
  const end = text.indexOf('\n', to - 1);
  return end < 0 ? text.length : end;
}

/** A part of a text with its secrets replaced. Those before `first` end before it. */
function withMarks(text: string, { from, to }: ByteRange, spans: readonly Span[], first: number): string {
  const parts: string[] = [];
  let at = from;
  for (let index = first; index < spans.length && spans[index]!.from < to; index++) {
    const span = spans[index]!;
    if (span.to <= at) continue;
    parts.push(text.slice(at, Math.max(at, span.from)), latin1Of(`[secret ${span.needle.name}]`));
    at = Math.min(span.to, to);
  }
  parts.push(text.slice(at, Math.max(at, to)));
  return Buffer.from(parts.join(''), 'latin1').toString('utf8');
}

/** Parts of the request are recognised by so many characters at least, and by so many at most. */
const SHORTEST = 8;
const LONGEST = 32;
/** The length tells little of the length of a secret. */
const STEP = 4;

/** A part of a text, in bytes. */
interface ByteRange {
  from: number;
  to: number;
}

/**
 * The parts of a text that repeat what a request said, if they begin before `limit`. Each has as many
 * characters as the shortest needle, in steps of 4. So no guess of a secret is too short to be seen. Both
 * texts are read in all views.
 */
function repeatsIn(
  text: string,
  said: readonly string[],
  { shortest, limit }: { shortest: number; limit: number },
): ByteRange[] {
  const length = Math.min(LONGEST, Math.max(SHORTEST, Math.floor(shortest / STEP) * STEP));
  const positions = new Map<string, ByteRange[]>();
  for (const { text: shown, positions: at } of viewsOf(text))
    for (let index = 0; index + length <= shown.length; index++) {
      const from = at ? at.starts[index]! : index;
      if (from >= limit) break;
      const last = index + length - 1;
      const part = { from, to: at ? at.stops[last]! : last + 1 };
      const words = shown.slice(index, index + length);
      const known = positions.get(words);
      if (known) known.push(part);
      else positions.set(words, [part]);
    }
  const parts: ByteRange[] = [];
  if (positions.size === 0) return parts;
  for (const { text: words } of viewsOf(latin1Of(said.join('\n'))))
    for (let index = 0; index + length <= words.length; index++) {
      const key = words.slice(index, index + length);
      const found = positions.get(key);
      if (!found) continue;
      parts.push(...found);
      positions.delete(key);
    }
  return parts;
}
