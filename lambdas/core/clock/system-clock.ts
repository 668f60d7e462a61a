import type { Clock } from './clock';

const MAX_TIMER_MS = 2 ** 31 - 1; // above this, setTimeout fires at once

/** CPU time of this process. */
export function systemCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** With `systemCpuMs`, the only place that reads the machine's clocks. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (ms <= 0 || signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
      signal?.addEventListener('abort', done, { once: true });
    }),
  timer(ms, done) {
    const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
