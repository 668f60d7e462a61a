import { setTimeout as sleep } from 'node:timers/promises';

import { ConflictError, problemOf } from '../errors';
import type { CallOptions } from '../options';
import {
  DEFAULT_RETRY,
  REPEATABLE,
  retryingFetch,
  type RetryOptions,
  type RetrySurroundings,
} from '../retrying-fetch';
import { type DeliveryHeaders, headerOf } from './verify-delivery';

const DEFAULT_BEAT_MS = 30_000;

export interface Beat {
  /** Somebody has cancelled the execution: stop, and `fail` it. */
  cancelRequested: boolean;
}

export interface AttemptOptions {
  retry?: Partial<RetryOptions>;
  surroundings?: Partial<RetrySurroundings>;
}

export interface WorkOptions extends CallOptions {
  /** Between two heartbeats: well below the target's `heartbeatTimeout`. Default 30 s. */
  everyMs?: number;
}

/**
 * An attempt that was answered with 202 and is reported later (`mode: "async"`). Every call throws a `ConflictError` where the
 * attempt has ended or another has taken its place: stop working on it then.
 */
export class Attempt {
  private readonly fetch: (request: Request) => Promise<Response>;

  private constructor(
    /** Where reports go. */
    readonly callback: string,
    private readonly token: string,
    { retry, surroundings }: AttemptOptions,
  ) {
    this.fetch = retryingFetch({ ...DEFAULT_RETRY, ...retry }, surroundings);
  }

  /** Of a delivery's headers, once `verifyDelivery` has accepted it; undefined where its target is not async. */
  static from(headers: DeliveryHeaders, options: AttemptOptions = {}): Attempt | undefined {
    const callback = headerOf(headers, 'quarterjack-callback');
    const token = headerOf(headers, 'quarterjack-token');
    return callback && token ? new Attempt(callback.replace(/\/+$/, ''), token, options) : undefined;
  }

  /** Says that the work goes on; more often than once a `heartbeatTimeout`. */
  async heartbeat(options: CallOptions = {}): Promise<Beat> {
    const { cancelRequested = false } = (await this.report('heartbeat', {}, options)) as Partial<Beat>;
    return { cancelRequested };
  }

  /** Says that the work is done; the beginning of `result` is kept. */
  async complete(result?: unknown, options: CallOptions = {}): Promise<void> {
    await this.report('complete', result === undefined ? {} : { result }, options);
  }

  /** Says that the work cannot be done: now, or at all. */
  async fail(
    error: string,
    { retriable = true, signal }: { retriable?: boolean } & CallOptions = {},
  ): Promise<void> {
    await this.report('fail', { error, retriable }, { signal });
  }

  /**
   * Works under heartbeats, and reports what it came to. The work's signal aborts when the execution is cancelled, the attempt
   * is no longer the one, or heartbeats do not get through. An error of the work is reported as retriable, and thrown.
   */
  async run<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    { everyMs = DEFAULT_BEAT_MS, signal }: WorkOptions = {},
  ): Promise<Result> {
    const lost = new AbortController();
    const ended = new AbortController();
    const working = AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]);
    const beating = this.beat(everyMs, lost, ended.signal);
    try {
      const result = await work(working);
      await this.complete(result);
      return result;
    } catch (error) {
      const { reason } = lost.signal as { reason?: unknown };
      // Nobody asks any more for what another attempt does now.
      if (!(reason instanceof ConflictError) && !(error instanceof ConflictError))
        await this.fail(textOf(error));
      throw error;
    } finally {
      ended.abort();
      await beating;
    }
  }

  private async beat(everyMs: number, lost: AbortController, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      try {
        await sleep(everyMs, undefined, { signal: ended });
        const { cancelRequested } = await this.heartbeat({ signal: ended });
        if (!cancelRequested) continue;
        lost.abort(new Error('the execution was cancelled'));
      } catch (error) {
        // The end of the work ends the beating too; anything else ends the work.
        if (!ended.aborted) lost.abort(error);
      }
      return;
    }
  }

  private async report(action: string, body: object, { signal }: CallOptions): Promise<unknown> {
    const answer = await this.fetch(
      new Request(`${this.callback}/${action}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.token}`,
          'Content-Type': 'application/json',
          [REPEATABLE]: 'yes',
        },
        body: JSON.stringify(body),
        redirect: 'error',
        signal,
      }),
    );
    const text = await answer.text();
    const value = jsonOr(text);
    if (!answer.ok) throw problemOf(answer.status, value);
    return value;
  }
}

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 2_000);

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // what a proxy on the way answers need not be JSON
  }
}
