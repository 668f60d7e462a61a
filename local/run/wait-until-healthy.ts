import { setTimeout as sleep } from 'node:timers/promises';

import { LocalRunError } from './errors';

const HEALTH_PATH = '/v1/health';
const LIMIT_MS = 30_000;
const RETRY_AFTER_MS = 200;

/**
 * Waits until the API reports that it is healthy. Throws a `LocalRunError` after 30 s, or on a client error.
 */
export async function waitUntilHealthy(apiUrl: string): Promise<void> {
  const untilMs = performance.now() + LIMIT_MS;
  let last = 'no response';
  while (performance.now() < untilMs) {
    const response = await fetch(`${apiUrl}${HEALTH_PATH}`);
    last = `${response.status} ${await response.text()}`;
    if (response.status === 200) return;
    if (response.status < 500) break;
    await sleep(RETRY_AFTER_MS);
  }
  throw new LocalRunError(`GET ${HEALTH_PATH} did not answer 200: ${last}`);
}
