export type LogStream = 'stdout' | 'stderr';

/** One line, without its line feed. */
export interface LogLine {
  /** RFC 3339. */
  at: string;
  stream: LogStream;
  text: string;
}

export interface LogChunk {
  /** Number of the chunk, from 0: the API orders by it. */
  chunk: number;
  lines: LogLine[];
}

/** Bounds of a chunk that the API accepts. */
export const MAX_CHUNK_BYTES = 65_536;
const MAX_CHUNK_LINES = 10_000;
/** The longest line: a longer one is several. */
const MAX_LINE_CHARACTERS = 16_384;
/** The most that an API keeps of an attempt. What waits beyond that is dropped: a log delays no work. */
const MAX_WAITING_BYTES = 5 * 1024 * 1024;
/** Short lines take more memory than their text. */
const MAX_WAITING_LINES = 100_000;

const encoder = new TextEncoder();

/** Lines that wait to be sent, in chunks of the size that the API accepts. */
export class LogBuffer {
  private readonly waiting: { line: LogLine; bytes: number }[] = [];
  private bytes = 0;
  private dropped = 0;
  private chunks = 0;

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Whether a whole chunk waits. */
  get hasChunk(): boolean {
    return this.bytes >= MAX_CHUNK_BYTES || this.waiting.length >= MAX_CHUNK_LINES;
  }

  /** How many lines were dropped in all, because too many waited. */
  get droppedLines(): number {
    return this.dropped;
  }

  add({ text, ...rest }: LogLine): void {
    for (const part of partsOf(text)) {
      const hasRoom = this.waiting.length < MAX_WAITING_LINES;
      const bytes = hasRoom ? encoder.encode(part).length : 0;
      if (!hasRoom || this.bytes + bytes > MAX_WAITING_BYTES) this.dropped++;
      else {
        this.waiting.push({ line: { ...rest, text: part }, bytes });
        this.bytes += bytes;
      }
    }
  }

  /** The next chunk, undefined if nothing waits. */
  take(): LogChunk | undefined {
    let bytes = 0;
    let count = 0;
    for (const one of this.waiting) {
      if (count === MAX_CHUNK_LINES || bytes + one.bytes > MAX_CHUNK_BYTES) break;
      bytes += one.bytes;
      count++;
    }
    if (count === 0) return undefined;
    this.bytes -= bytes;
    const lines = this.waiting.splice(0, count).map(({ line }) => line);
    return { chunk: this.chunks++, lines };
  }

  clear(): void {
    this.waiting.length = 0;
    this.bytes = 0;
  }
}

/** A line in parts of the longest length, never cut within a character. */
function* partsOf(text: string): Generator<string> {
  let from = 0;
  do {
    let to = from + MAX_LINE_CHARACTERS;
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
    yield text.slice(from, to);
    from = to;
  } while (from < text.length);
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
