import { ConnectionError } from './errors';
import { sleep } from './sleep';

export interface RetryOptions {
  /** Tries in total, including the first. 1 means no retries. */
  maxTries: number;
  /** The longest pause before the second try. It doubles with each further try. */
  baseDelayMs: number;
  /** No pause is longer than this, even if the API asks for more. */
  maxDelayMs: number;
  /** Timeout of one try. */
  timeoutMs: number;
}

export const DEFAULT_RETRY: RetryOptions = {
  maxTries: 5,
  baseDelayMs: 200,
  maxDelayMs: 30_000,
  timeoutMs: 30_000,
};

/** The network, sleeping and randomness. Tests replace them. */
export interface RetrySurroundings {
  fetch(request: Request): Promise<Response>;
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

const REAL: RetrySurroundings = {
  fetch: (request) => fetch(request),
  sleep,
  random: Math.random,
};

/** Header that marks a request as safe to send twice. It is removed before the request is sent. */
export const REPEATABLE = 'x-quarterjack-client-repeatable';
/** Header that is added to a response after a retry: the number of tries. */
export const TRIES = 'x-quarterjack-client-tries';

/**
 * A `fetch` that retries. It retries any request after 429, since the API did nothing then. A request marked
 * `REPEATABLE` is also retried after 5xx, and if no response came.
 *
 * Pauses are `Retry-After` plus full jitter, at most `maxDelayMs`. After the last try it returns the last
 * response, or throws a `ConnectionError`. If the caller's signal aborts, it throws the signal's reason.
 */
export function retryingFetch(options: RetryOptions, given: Partial<RetrySurroundings> = {}) {
  const surroundings = { ...REAL, ...given };
  return async (original: Request): Promise<Response> => {
    const repeatable = original.headers.has(REPEATABLE);
    original.headers.delete(REPEATABLE);
    for (let tries = 1; ; tries++) {
      const last = tries >= options.maxTries;
      const response = await oneTry(original, options, surroundings);
      if (response instanceof Response) {
        if (last || !(response.status === 429 || (repeatable && response.status >= 500)))
          return withTries(response, tries);
        await response.body?.cancel();
        await surroundings.sleep(pauseMs(response, tries, options, surroundings), original.signal);
      } else {
        if (last || !repeatable) throw response;
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
    return await received(await surroundings.fetch(new Request(original.clone(), { signal })), original);
  } catch (cause) {
    original.signal.throwIfAborted();
    const reason = signal.aborted ? `no response within ${timeoutMs} ms` : reasonOf(cause);
    return new ConnectionError(`${original.method} ${original.url}: ${reason}`, { cause });
  }
}

/** The response with its whole body: a body that breaks off is a failure of the network like any other. */
async function received(
  { body, status, statusText, headers }: Response,
  { url }: Request,
): Promise<Response> {
  const bytes = body ? await new Response(body).arrayBuffer() : null;
  return responseOf(url, bytes?.byteLength ? bytes : null, { status, statusText, headers });
}

/** A response of this URL, which errors name: no other way to make one sets it. */
const responseOf = (url: string, ...[body, init]: ConstructorParameters<typeof Response>): Response =>
  Object.defineProperty(new Response(body, init), 'url', { value: url });

/** The message `fetch failed` gives no reason, but its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || (cause as { code?: string }).code || cause.name;
}

function pauseMs(
  response: Response | undefined,
  tries: number,
  { baseDelayMs, maxDelayMs }: RetryOptions,
  { random }: RetrySurroundings,
): number {
  const jitterMs = random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (tries - 1));
  return Math.min(maxDelayMs, retryAfterMs(response?.headers.get('retry-after')) + jitterMs);
}

/** From a number of seconds or an HTTP date; 0 for anything else. */
function retryAfterMs(text: string | null | undefined): number {
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - Date.now());
}

function withTries(response: Response, tries: number): Response {
  if (tries === 1) return response;
  const headers = new Headers(response.headers);
  headers.set(TRIES, String(tries));
  const { url, body, status, statusText } = response;
  return responseOf(url, body, { status, statusText, headers });
}
