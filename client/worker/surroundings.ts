import type { RetrySurroundings } from '../retrying-fetch';
import { sleep } from '../sleep';
import type { Moment } from './moment';

/** The network, clocks, sleeping and randomness of a worker. Tests replace them. */
export interface WorkerSurroundings extends RetrySurroundings {
  now(): Moment;
  sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
  uuid(): string;
}

export const workerSurroundings = (given: Partial<WorkerSurroundings> = {}): WorkerSurroundings => ({
  fetch: (request) => fetch(request),
  sleep,
  random: Math.random,
  now: () => ({ monotonicMs: performance.now(), wallMs: Date.now() }),
  uuid: () => crypto.randomUUID(),
  ...given,
});

/** Sleeps for `ms`, or until the signal aborts. Never rejects. */
export async function pause(
  ms: number,
  signal: AbortSignal,
  { sleep: sleepFor }: Pick<WorkerSurroundings, 'sleep'>,
): Promise<void> {
  try {
    await sleepFor(Math.max(0, ms), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
