import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf, LocalRunError } from './errors';

/** Responds 200 once the API works. */
export const HEALTH_PATH = '/v1/health';
const LIMIT_MS = 30_000;
const RETRY_AFTER_MS = 200;

/**
 * Waits until the API reports that it is healthy. Throws a `LocalRunError` after 30 s, or on a client error.
 */
export async function waitUntilHealthy(apiUrl: string): Promise<void> {
  const untilMs = performance.now() + LIMIT_MS;
  let last = 'no response';
  while (performance.now() < untilMs) {
    const { status, text } = await request(`${apiUrl}${HEALTH_PATH}`);
    last = `${status} ${text}`;
    if (status === 200) return;
    if (status < 500) break;
    await sleep(RETRY_AFTER_MS);
  }
  throw new LocalRunError(`GET ${HEALTH_PATH} did not answer 200: ${last}`);
}

/** Not `fetch`, whose code takes as long to load as the rest of a start takes on the main thread. */
const request = (url: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    get(url, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    }).on('error', (cause) => reject(new LocalRunError(`GET ${url}: ${messageOf(cause)}`, { cause })));
  });
