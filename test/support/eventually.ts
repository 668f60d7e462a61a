import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
/** What takes long is asked for less often: each question costs processor time that other tests need. */
const LONGEST_POLL_MS = 500;
const pollMsAfter = (tookMs: number): number => Math.min(LONGEST_POLL_MS, Math.max(POLL_MS, tookMs / 20));
/** For what never comes: a machine with other work may need ten times as long as an idle one. */
const DEADLINE_MS = 120_000;

/**
 * Polls `read` until `done` accepts its value, and resolves to it. At the deadline it throws with the last
 * value.
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  done: (value: T) => boolean,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const startMs = Date.now();
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    const tookMs = Date.now() - startMs;
    if (tookMs > deadlineMs) {
      throw new Error(`not within ${deadlineMs} ms; last seen: ${JSON.stringify(value)?.slice(0, 1_000)}`);
    }
    await sleep(pollMsAfter(tookMs));
  }
}
