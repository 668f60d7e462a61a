import { bodyOf, type Connection, REPEATABLE_HEADERS } from '../connection';
import {
  ArgumentError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  QuarterjackError,
  ValidationError,
} from '../errors';
import type { ClaimedWork } from '../types';
import { elapsedMs, type Moment } from './moment';
import type { WorkerSurroundings } from './surroundings';

export interface ClaimAnswer {
  work: ClaimedWork['work'];
  /** When this claim was first sent: the leases are at most this old. */
  sentAt: Moment;
  answeredAt: Moment;
  /** The API could not wait, and asks for a pause. */
  retryAfterMs: number | undefined;
}

interface ClaimRequest {
  queue: string;
  worker: string | undefined;
}

/** A key is good for five minutes; what an older claim got has lapsed or is lost. */
const REPEATABLE_MS = 4 * 60_000;
/** The worker cannot go on after these: another try would be answered alike. */
const FATAL = [AuthenticationError, PermissionError, ValidationError, NotFoundError, ConflictError];

export const isFatal = (error: unknown): boolean =>
  FATAL.some((kind) => error instanceof kind) ||
  error instanceof ArgumentError ||
  (error instanceof QuarterjackError && error.constructor === QuarterjackError);

/**
 * Claims work. A claim without an answer may have got work. The next one repeats it under the same key, and
 * the API answers with the same work.
 */
export class Claims {
  private open: { key: string; max: number; wait: string; sentAt: Moment } | undefined;

  /** @internal */
  constructor(
    private readonly api: Connection,
    private readonly request: ClaimRequest,
    private readonly surroundings: Pick<WorkerSurroundings, 'now' | 'uuid'>,
  ) {}

  /** Up to `max` executions. `wait`: how long the API may wait for work. Throws what the client throws. */
  async next(max: number, wait: string, signal: AbortSignal): Promise<ClaimAnswer> {
    const { now, uuid } = this.surroundings;
    if (this.open && elapsedMs(this.open.sentAt, now()) > REPEATABLE_MS) this.open = undefined;
    this.open ??= { key: uuid(), max, wait, sentAt: now() };
    const { key, sentAt, ...asked } = this.open;
    const { data, answeredAt } = await this.send(key, asked, signal);
    this.open = undefined;
    const retryAfterMs = data.retryAfter === undefined ? undefined : data.retryAfter * 1_000;
    return { work: data.work, sentAt, answeredAt, retryAfterMs };
  }

  private async send(key: string, asked: { max: number; wait: string }, signal: AbortSignal) {
    const call = this.api.POST('/v1/work/claim', {
      body: { ...this.request, ...asked },
      headers: { ...REPEATABLE_HEADERS, 'Idempotency-Key': key },
      signal,
    });
    const data: ClaimedWork = await bodyOf(call, { work: ['jobId', 'execId', 'token'] });
    return { data, answeredAt: this.surroundings.now() };
  }
}
