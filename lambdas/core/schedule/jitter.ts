import { createHash } from 'node:crypto';

/**
 * The offset of a job within a window, in whole seconds: `0 <= offset < windowMs`. The same job and window
 * always give the same offset, and offsets spread evenly over jobs.
 */
export function jitterOffsetMs(jobKey: string, windowMs: number): number {
  if (windowMs === 0) return 0;
  const fraction = createHash('sha256').update(jobKey).digest().readUIntBE(0, 6) / 2 ** 48;
  return Math.floor((fraction * windowMs) / 1000) * 1000;
}
