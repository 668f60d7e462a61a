import { withTimeout } from '../core/async/with-timeout';
import type { Clock } from '../core/clock/clock';

/** Far above what an issuer publishes. */
const MAX_BYTES = 100_000;

export interface FetchDeps {
  fetch: typeof fetch;
  clock: Pick<Clock, 'sleep'>;
}

/** Reads a JSON object of an issuer. It has a body of at most 100 kB, and no redirect is followed. */
export type FetchJson = (
  url: string,
  timeoutMs: number,
  headers?: Record<string, string>,
) => Promise<Record<string, unknown>>;

export const fetchJson =
  ({ fetch, clock }: FetchDeps): FetchJson =>
  (url, timeoutMs, headers = {}) =>
    withTimeout(
      timeoutMs,
      async (signal) => {
        const response = await fetch(url, { headers, redirect: 'error', signal });
        if (!response.ok) {
          await response.body?.cancel();
          throw new Error(`${url} answered ${response.status}`);
        }
        const value: unknown = JSON.parse(await boundedText(response, url));
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          throw new Error(`${url} answered with something other than a JSON object`);
        return value as Record<string, unknown>;
      },
      clock,
    );

async function boundedText(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
