import { setTimeout as sleep } from 'node:timers/promises';

import { ConnectionError } from './errors';

export interface RetryOptions {
  /** Tries in all, the first included. 1 never repeats. */
  maxTries: number;
  /** The longest pause before the second try; it doubles with each further one. */
  baseDelayMs: number;
  /** No pause is longer, not even one that the API asks for. */
  maxDelayMs: number;
  /** Of one try. */
  timeoutMs: number;
}

export const DEFAULT_RETRY: RetryOptions = {
  maxTries: 5,
  baseDelayMs: 200,
  maxDelayMs: 30_000,
  timeoutMs: 30_000,
};

/** What a test puts in the place of the network, of time and of chance. */
export interface RetrySurroundings {
  fetch(request: Request): Promise<Response>;
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
  /** From 0 up to 1. */
  random(): number;
}

const REAL: RetrySurroundings = {
  fetch: (request) => fetch(request),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
};

/** Marks a request that is the same however often it is sent; taken off before it goes out. */
export const REPEATABLE = 'x-quarterjack-client-repeatable';
/** Says on an answer how many tries it took. */
export const TRIES = 'x-quarterjack-client-tries';

/**
 * `fetch` that tries again: after 429, for then nothing was done; and, where the request may be repeated, after 5xx
 * and when no answer came. Pauses have full jitter; `Retry-After` is waited for, up to `maxDelayMs`. Once the tries are
 * used up, returns the last answer, or throws a `ConnectionError`. An abort by the caller's signal passes through.
 */
export function retryingFetch(options: RetryOptions, given: Partial<RetrySurroundings> = {}) {
  const surroundings = { ...REAL, ...given };
  return async (original: Request): Promise<Response> => {
    const repeatable = original.headers.has(REPEATABLE);
    original.headers.delete(REPEATABLE);
    for (let tries = 1; ; tries++) {
      const last = tries >= options.maxTries;
      const answer = await oneTry(original, options, surroundings);
      if (answer instanceof Response) {
        if (last || !(answer.status === 429 || (repeatable && answer.status >= 500)))
          return withTries(answer, tries);
        await answer.body?.cancel();
        await surroundings.sleep(pauseMs(answer, tries, options, surroundings), original.signal);
      } else {
        if (last || !repeatable) throw answer;
        await surroundings.sleep(pauseMs(undefined, tries, options, surroundings), original.signal);
      }
    }
  };
}

async function oneTry(
  original: Request,
  { timeoutMs }: RetryOptions,
  surroundings: RetrySurroundings,
): Promise<Response | ConnectionError> {
  const signal = AbortSignal.any([original.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await surroundings.fetch(new Request(original.clone(), { signal }));
  } catch (cause) {
    original.signal.throwIfAborted();
    const why = signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(cause);
    return new ConnectionError(`${original.method} ${original.url}: ${why}`, { cause });
  }
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || (cause as NodeJS.ErrnoException).code || cause.name;
}

function pauseMs(
  answer: Response | undefined,
  tries: number,
  { baseDelayMs, maxDelayMs }: RetryOptions,
  { random }: RetrySurroundings,
): number {
  const jitterMs = random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (tries - 1));
  return Math.min(maxDelayMs, retryAfterMs(answer?.headers.get('retry-after')) + jitterMs);
}

/** Seconds, or a date of HTTP; 0 for anything else. */
function retryAfterMs(text: string | null | undefined): number {
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - Date.now());
}

function withTries(answer: Response, tries: number): Response {
  if (tries === 1) return answer;
  const headers = new Headers(answer.headers);
  headers.set(TRIES, String(tries));
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
