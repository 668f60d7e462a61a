import { type Clock, MINUTE_MS } from '../../core/clock/clock';
import type { Sampling } from '../../core/contracts/otlp';

/**
 * Bounds how many executions of a project join recorded traces, in a minute and in this process. A bound over
 * all processes would cost a write for each.
 */
export function recordedTraces(
  { maxPerMinute }: Pick<Sampling, 'maxPerMinute'>,
  clock: Pick<Clock, 'nowMs'>,
): (project: string) => boolean {
  let minute = -1;
  const counts = new Map<string, number>();
  return (project) => {
    const now = Math.floor(clock.nowMs() / MINUTE_MS);
    if (now !== minute) counts.clear();
    minute = now;
    const count = counts.get(project) ?? 0;
    if (count >= maxPerMinute) return false;
    counts.set(project, count + 1);
    return true;
  };
}
