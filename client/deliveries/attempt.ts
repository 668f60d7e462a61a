import { checkArguments } from '../arguments';
import { ConflictError, problemOf, QuarterjackError } from '../errors';
import { requestIdOf } from '../response-body';
import type { CallOptions } from '../options';
import { checkJson } from '../response-body';
import {
  DEFAULT_RETRY,
  REPEATABLE,
  retryingFetch,
  type RetryOptions,
  type RetrySurroundings,
} from '../retrying-fetch';
import { sleep } from '../sleep';
import { type Delivery, type LegacyDelivery, verifiedOf } from './delivery';

const DEFAULT_HEARTBEAT_MS = 30_000;

export interface HeartbeatResult {
  /** Cancellation of the execution was requested: stop working, then call `fail`. */
  cancelRequested: boolean;
}

export interface HeartbeatOptions extends CallOptions {
  /** How far the work is, from 0 to 1. Without it, what was said last stays. */
  progress?: number | undefined;
  /** What is done now, in at most 200 characters. Only with `progress`. */
  text?: string | undefined;
}

/** The delivery wants its reports at an address that is not the API's. Do nothing, and respond 401. */
export class CallbackError extends QuarterjackError {
  override name = 'CallbackError';
}

export interface AttemptOptions {
  /**
   * Where the API is, such as `https://api.example.com`: reports go to this origin only. Any URL of the API
   * will do. Several, if the API has several addresses.
   */
  origin: string | readonly string[];
  retry?: Partial<RetryOptions> | undefined;
  surroundings?: Partial<RetrySurroundings> | undefined;
}

export interface WorkOptions extends CallOptions {
  /** Time between two heartbeats. Keep it well below the target's `heartbeatTimeout`. Default 30 s. */
  everyMs?: number | undefined;
}

/**
 * An attempt that the target answered with 202 and reports on later (`mode: "async"`). Every call throws a
 * `ConflictError` if the attempt has ended or a later attempt has replaced it. Stop working on it then.
 */
export class Attempt {
  private readonly fetch: (request: Request) => Promise<Response>;

  private constructor(
    /** The URL that reports are sent to. */
    readonly callback: string,
    private readonly token: string,
    { retry, surroundings }: Omit<AttemptOptions, 'origin'>,
  ) {
    this.fetch = retryingFetch({ ...DEFAULT_RETRY, ...retry }, surroundings);
  }

  /**
   * From the result of `verifyDelivery`. Undefined if its target is not async. Throws a `CallbackError` if
   * the delivery names a callback outside `origin`, and a `QuarterjackError` for anything else than a
   * verified delivery and an origin.
   */
  static from(delivery: Delivery | LegacyDelivery, options: AttemptOptions): Attempt | undefined {
    const verified = verifiedOf(delivery);
    if (!verified) throw new QuarterjackError('Attempt.from takes the result of verifyDelivery');
    if (!verified.reporting) return undefined;
    const { callback, token } = verified.reporting;
    const allowed = allowedOrigins(options);
    const given = originOf(callback);
    if (given === undefined || !allowed.includes(given))
      throw new CallbackError(`the callback ${JSON.stringify(callback)} is outside ${allowed.join(', ')}`);
    return new Attempt(callback.replace(/\/+$/, ''), token, options);
  }

  /**
   * Reports that the work is still running, and how far it is. Call it more often than once every
   * `heartbeatTimeout`.
   */
  async heartbeat({ signal, ...said }: HeartbeatOptions = {}): Promise<HeartbeatResult> {
    const answer = (await this.report('heartbeat', said, { signal })) as Partial<HeartbeatResult> | null;
    return { cancelRequested: answer?.cancelRequested === true };
  }

  /** Reports success. The API stores the beginning of `result`. */
  async complete(result?: unknown, options: CallOptions = {}): Promise<void> {
    await this.report('complete', result === undefined ? {} : { result }, options);
  }

  /** Reports failure. With `retriable: false`, no further attempt follows. */
  async fail(
    error: string,
    { retriable = true, signal }: { retriable?: boolean | undefined } & CallOptions = {},
  ): Promise<void> {
    await this.report('fail', { error, retriable }, { signal });
  }

  /**
   * Runs `work` while it sends heartbeats, then reports the outcome. The signal given to `work` aborts if the
   * execution is cancelled, a later attempt replaces this one, or a heartbeat fails after its retries.
   * An error that `work` throws is reported as retriable, and thrown again.
   */
  async run<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    { everyMs = DEFAULT_HEARTBEAT_MS, signal }: WorkOptions = {},
  ): Promise<Result> {
    const lost = new AbortController();
    const ended = new AbortController();
    const working = AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]);
    const heartbeats = this.sendHeartbeats(everyMs, lost, ended.signal);
    try {
      const result = await work(working);
      await this.complete(result);
      return result;
    } catch (error) {
      const { reason } = lost.signal as { reason?: unknown };
      // After a conflict, the API takes no more reports from this attempt.
      if (!(reason instanceof ConflictError) && !(error instanceof ConflictError))
        await this.fail(messageOf(error));
      throw error;
    } finally {
      ended.abort();
      await heartbeats;
    }
  }

  private async sendHeartbeats(everyMs: number, lost: AbortController, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      try {
        await sleep(everyMs, ended);
        const { cancelRequested } = await this.heartbeat({ signal: ended });
        if (!cancelRequested) continue;
        lost.abort(new Error('the execution was cancelled'));
      } catch (error) {
        // Once the work has ended, this error is the abort itself. Any other error stops the work.
        if (!ended.aborted) lost.abort(error);
      }
      return;
    }
  }

  private async report(action: string, body: object, { signal }: CallOptions): Promise<unknown> {
    const request = this.requestOf(action, body, signal);
    const response = await this.fetch(request);
    await checkJson(request, response);
    const value = jsonOr(await response.text());
    if (!response.ok) throw problemOf(response.status, value, requestIdOf(response));
    return value;
  }

  private requestOf(action: string, body: object, signal: AbortSignal | undefined): Request {
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
    try {
      return new Request(`${this.callback}/${action}`, {
        method: 'POST',
        headers: { ...headers, [REPEATABLE]: 'yes' },
        body: JSON.stringify(body),
        redirect: 'error',
        ...(signal ? { signal } : {}),
      });
    } catch (cause) {
      throw new QuarterjackError(`the report cannot be made: ${messageOf(cause)}`, { cause });
    }
  }
}

checkArguments(
  Attempt,
  {
    heartbeat: ['options?'],
    complete: ['result?', 'options?'],
    fail: ['error', 'options?'],
    run: ['work', 'options?'],
  },
  {},
);

/** The origins in the options. Throws a `QuarterjackError` if one is not a URL, or there is none. */
function allowedOrigins(options: Partial<AttemptOptions> | undefined): string[] {
  const origins = [options?.origin].flat().map(originOf);
  const known = origins.filter((origin) => origin !== undefined);
  if (known.length > 0 && known.length === origins.length) return known;
  throw new QuarterjackError('origin must be the http or https URL of the API');
}

/** Undefined for what is not an http or https URL, or has a user name or password. */
function originOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { protocol, username, password, origin } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? origin : undefined;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 2_000);

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // a proxy's error page, for example
  }
}
