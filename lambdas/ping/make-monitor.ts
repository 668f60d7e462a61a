import { withTimeout } from '../core/async/with-timeout';
import { type Clock, SECOND_MS } from '../core/clock/clock';

/**
 * What became of a slug that no job has. `refused`: the key may not make monitors any more. `rejected`: the
 * API makes no such monitor.
 */
export type Made =
  | { outcome: 'created' | 'known' | 'other-job' | 'refused' | 'rejected' }
  | { outcome: 'full'; waitSec: number };

/** Makes a monitor by the key that a stranger has sent. Rejects if that may or may not have been done. */
export type MakeMonitor = (key: string, jobId: string) => Promise<Made>;

/** Less than the five seconds that the command line gives to a ping, so that it hears what became of it. */
const TIMEOUT_MS = 4 * SECOND_MS;
const OUTCOMES = { 200: 'known', 201: 'created', 401: 'refused', 409: 'other-job' } as const;

const isClientError = (status: number): boolean => status >= 400 && status < 500;

/**
 * Asks the API, at the URL. This function has no right to write jobs, and shows the API none but the key. A
 * key that has no room left is not sent again before it may have.
 */
export function makeMonitorBy(
  url: string,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: Clock },
): MakeMonitor {
  const fullUntilMs = new Map<string, number>();
  return async (key, jobId) => {
    const leftMs = (fullUntilMs.get(key) ?? 0) - clock.nowMs();
    if (leftMs > 0) return { outcome: 'full', waitSec: Math.ceil(leftMs / SECOND_MS) };
    fullUntilMs.delete(key);
    const asked = {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jobId }),
      redirect: 'error',
    } as const;
    const answered = async (signal: AbortSignal) => {
      const response = await fetch(url, { ...asked, signal });
      await response.arrayBuffer();
      return response;
    };
    const answer = await withTimeout(TIMEOUT_MS, answered, clock);
    const outcome = (OUTCOMES as Record<number, (typeof OUTCOMES)[keyof typeof OUTCOMES]>)[answer.status];
    if (outcome) return { outcome };
    if (isClientError(answer.status) && answer.status !== 429) return { outcome: 'rejected' };
    if (answer.status !== 429) throw new Error(`the API answered ${answer.status} to a new monitor`);
    const waitSec = Math.max(1, Number(answer.headers.get('retry-after') ?? 1));
    fullUntilMs.set(key, clock.nowMs() + waitSec * SECOND_MS);
    return { outcome: 'full', waitSec };
  };
}
