import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Polls until `done` holds of what `read` gives, and resolves to it; throws with the last of it at the deadline. */
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
