import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Polls `read` until `done` accepts its value, and resolves to it. At the deadline it throws with the last
 * value.
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  done: (value: T) => boolean,
  deadlineMs = 10_000,
): Promise<T> {
  const endMs = Date.now() + deadlineMs;
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    if (Date.now() > endMs) {
      throw new Error(`not within ${deadlineMs} ms; last seen: ${JSON.stringify(value)?.slice(0, 1_000)}`);
    }
    await sleep(POLL_MS);
  }
}
