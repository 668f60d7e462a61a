import type { Moment } from '../../client/worker';

/** Both clocks of this machine. All processes read the same ones, so they can exchange moments. */
export const machineNow = (): Moment => ({
  monotonicMs: Number(process.hrtime.bigint() / 1_000n) / 1_000,
  wallMs: Date.now(),
});
