import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

import { withTimeout } from '../core/async/with-timeout';
import type { Clock } from '../core/clock/clock';

/** Far above what an issuer publishes. */
const MAX_BYTES = 100_000;

/** Reads a JSON object of an issuer. It has at most 100 kB, and no redirect is followed. */
export type FetchJson = (
  url: string,
  timeoutMs: number,
  headers?: Record<string, string>,
) => Promise<Record<string, unknown>>;

export const fetchJson =
  (clock: Pick<Clock, 'sleep'>): FetchJson =>
  (url, timeoutMs, headers = {}) =>
    withTimeout(
      timeoutMs,
      async (signal) => {
        const value: unknown = JSON.parse(await textOf(await get(url, headers, signal), url));
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          throw new Error(`${url} answered with something other than a JSON object`);
        return value as Record<string, unknown>;
      },
      clock,
    );

/**
 * Not `fetch`: loading it would take a third of the authorizer's cold start. Each request has its own
 * connection, since one that was kept may have died while the process was frozen.
 */
const get = (url: string, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    request(url, { headers: { accept: 'application/json', ...headers }, agent: false, signal })
      .once('response', resolve)
      .once('error', reject)
      .end();
  });

async function textOf(response: IncomingMessage, url: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return Buffer.concat(chunks).toString('utf8');
}
