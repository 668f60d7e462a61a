import { ConnectionError, RateLimitError, ServerError } from '../errors';
import type { AttemptCalls } from './attempt-calls';
import { LogBuffer, type LogChunk, type LogStream } from './log-buffer';
import { elapsedMs, type Moment } from './moment';
import { pause, type WorkerSurroundings } from './surroundings';

const FIRST_MINUTE_MS = 60_000;
const RETRY_MS = 2_000;

/** How long lines may wait for others before they are sent. */
export const flushAfterMs = (sinceStartMs: number): number =>
  sinceStartMs < FIRST_MINUTE_MS ? 1_000 : 5_000;

/** After these, the same chunk is sent again. */
const REPEATED = [ConnectionError, RateLimitError, ServerError];

/** Sends the log of one attempt, chunk by chunk. A chunk is sent again under its number until it arrives. */
export class LogSender {
  private readonly buffer = new LogBuffer();
  private readonly abandoned = new AbortController();
  private readonly startedAt: Moment;
  private wake = new AbortController();
  private closing = false;
  private full = false;
  private sending: Promise<void> | undefined;

  constructor(
    private readonly calls: Pick<AttemptCalls, 'log'>,
    private readonly surroundings: Pick<WorkerSurroundings, 'now' | 'sleep'>,
    private readonly failed: (error: unknown) => void,
  ) {
    this.startedAt = surroundings.now();
  }

  /** Nothing more is kept: the limit is reached, or the attempt has ended. Writing has no effect then. */
  get isFull(): boolean {
    return this.full;
  }

  get droppedLines(): number {
    return this.buffer.droppedLines;
  }

  write(text: string, stream: LogStream = 'stdout'): void {
    if (this.full) return;
    const at = new Date(this.surroundings.now().wallMs).toISOString();
    this.buffer.add({ at, stream, text });
    this.sending ??= this.send();
    if (this.buffer.hasChunk) this.wake.abort();
  }

  /** Sends what waits, for at most `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.closing = true;
    this.wake.abort();
    if (!this.sending) return;
    const over = new AbortController();
    await Promise.race([this.sending, pause(withinMs, over.signal, this.surroundings)]);
    over.abort();
  }

  /** Drops what waits, and ends the request under way. */
  abandon(): void {
    this.full = true;
    this.buffer.clear();
    this.abandoned.abort();
    this.wake.abort();
  }

  private async send(): Promise<void> {
    while (!this.buffer.isEmpty) {
      await this.untilDue();
      const chunk = this.buffer.take();
      if (chunk) await this.sendChunk(chunk);
    }
    this.sending = undefined;
  }

  private async untilDue(): Promise<void> {
    if (this.closing || this.buffer.hasChunk) return;
    this.wake = new AbortController();
    const ms = flushAfterMs(elapsedMs(this.startedAt, this.surroundings.now()));
    await pause(ms, this.wake.signal, this.surroundings);
  }

  private async sendChunk({ chunk, lines }: LogChunk): Promise<void> {
    while (!this.full) {
      try {
        const { truncated } = await this.calls.log(chunk, lines, this.abandoned.signal);
        if (truncated) this.stop();
        return;
      } catch (error) {
        if (this.abandoned.signal.aborted) return;
        if (REPEATED.some((kind) => error instanceof kind))
          await pause(RETRY_MS, this.abandoned.signal, this.surroundings);
        else {
          this.stop();
          this.failed(error);
        }
      }
    }
  }

  private stop(): void {
    this.full = true;
    this.buffer.clear();
  }
}
