import { DAY_MS, MINUTE_MS } from '../../lambdas/core/clock/clock';
import type { ErrandType } from '../../lambdas/core/contracts/errand-services';
import { probesAround } from '../../lambdas/core/domain/probes';

/** How long work may take, by what tables call it. */
export const LENGTHS: Readonly<Record<string, number>> = {
  '10 minutes': 10 * MINUTE_MS,
  'a day': DAY_MS,
  'a week': 7 * DAY_MS,
  '30 days': 30 * DAY_MS,
};

/** How often the watcher probes for an errand that runs so long, if no budget puts a probe off. */
export function probesWithin(type: ErrandType, lastsMs: number): number {
  let count = 0;
  for (let atMs = 0; ; count += 1) {
    atMs = probesAround({ type, firstStartAtMs: 0 }, atMs).nextAtMs;
    if (atMs >= lastsMs) return count;
  }
}
