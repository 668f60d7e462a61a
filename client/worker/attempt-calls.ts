import { bodyOf, connect, REPEATABLE_HEADERS } from '../connection';
import type { ConnectionOptions } from '../options';
import type { LogLine } from './log-buffer';
import type { Progress } from './progress';

/** What a heartbeat says about the attempt. */
export interface Kept {
  cancelRequested: boolean;
}

/** How an attempt has failed. No further one comes before `retryAfter` is over. */
export interface Failure {
  error: string;
  retriable: boolean;
  retryAfter?: string | undefined;
  reason?: string | undefined;
}

/** The calls that the token of one attempt allows. Each throws a `ConflictError` once the lease is lost. */
export interface AttemptCalls {
  /** One try of at most `timeoutMs`. Without a progress, what was said last stays. */
  heartbeat(signal: AbortSignal, progress?: Progress): Promise<Kept>;
  complete(result: unknown, signal: AbortSignal): Promise<void>;
  fail(failure: Failure, signal: AbortSignal): Promise<void>;
  release(signal: AbortSignal): Promise<void>;
  log(chunk: number, lines: readonly LogLine[], signal: AbortSignal): Promise<{ truncated: boolean }>;
}

/** `heartbeatWithinMs`: the time limit of a heartbeat, which is tried once. The other calls are repeated. */
export function attemptCalls(
  token: string,
  heartbeatWithinMs: number,
  { url, retry, surroundings }: Pick<ConnectionOptions, 'url' | 'retry' | 'surroundings'>,
): AttemptCalls {
  const once = connect({
    url,
    token,
    surroundings,
    retry: { ...retry, maxTries: 1, timeoutMs: heartbeatWithinMs },
  });
  const api = connect({ url, token, surroundings, retry });
  const headers = REPEATABLE_HEADERS;
  return {
    async heartbeat(signal, progress) {
      const body = progress
        ? { progress: progress.value, ...(progress.text && { text: progress.text }) }
        : {};
      const call = once.POST('/v1/attempts/heartbeat', { body, headers, signal });
      const { cancelRequested } = await bodyOf(call, { status: 'text' });
      return { cancelRequested: cancelRequested === true };
    },
    async complete(result, signal) {
      const body = result === undefined ? {} : { result };
      await bodyOf(api.POST('/v1/attempts/complete', { body, headers, signal }), { status: 'text' });
    },
    async fail({ error, retriable, retryAfter, reason }, signal) {
      const body = {
        error,
        retriable,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(reason !== undefined && { reason }),
      };
      await bodyOf(api.POST('/v1/attempts/fail', { body, headers, signal }), { status: 'text' });
    },
    async release(signal) {
      await bodyOf(api.POST('/v1/work/release', { body: {}, headers, signal }), { status: 'text' });
    },
    async log(chunk, lines, signal) {
      const body = { chunk, lines: [...lines] };
      const { truncated } = await bodyOf(api.POST('/v1/attempts/log', { body, headers, signal }), {
        bytes: 'number',
      });
      return { truncated: truncated === true };
    },
  };
}
