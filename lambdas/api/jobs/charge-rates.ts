import { type Clock, MINUTE_MS } from '../../core/clock/clock';
import type { QuotaLimits } from '../../core/contracts/quotas';
import { minuteOf, minuteStartMs } from '../../core/contracts/tables';
import { NO_RATES, RATE_FIELDS, RATE_QUOTAS, type Rates } from '../../core/quotas/rates';
import type { UsageStore } from '../../core/store/usage-store';
import { quotaExceeded } from '../http/problem';
import type { Quotas } from '../request';
import { perProject } from '../../core/async/per-project';

/** What a project did in a minute, as this process knows it. */
interface KnownMinute {
  minute: number;
  /** The sum of all processes, as of the last write. */
  stored: Rates;
  /** What is not added to it yet. */
  unsaved: Rates;
}

/** Share of a quota that one process may leave unsaved. */
const UNSAVED_SHARE = 0.01;

/**
 * Quotas on what a project does in a minute of the clock. A process adds to the project's row in steps of a
 * hundredth of a quota, and learns from the sum what other processes have added. Refused calls are counted
 * nowhere, so they cost no write.
 */
export function rateQuotas(
  limits: QuotaLimits,
  { usage, clock }: { usage: UsageStore; clock: Pick<Clock, 'nowMs'> },
): Quotas['chargeRate'] {
  const lastOf = perProject<{ known?: KnownMinute }>(() => ({}));

  /** A new object for each minute: a write of the last one may still be under way. */
  const knownOf = (project: string, minute: number): KnownMinute => {
    const last = lastOf(project);
    if (last.known?.minute !== minute) last.known = { minute, stored: NO_RATES, unsaved: NO_RATES };
    return last.known;
  };

  return async (project, field, count = 1) => {
    const nowMs = clock.nowMs();
    const minute = minuteOf(nowMs);
    const known = knownOf(project, minute);
    const quota = RATE_QUOTAS[field];
    if (known.stored[field] + known.unsaved[field] + count > limits[quota]) {
      throw quotaExceeded(
        (count === 1
          ? `the quota ${quota} is ${limits[quota]}, and this minute's are used; `
          : `the quota ${quota} is ${limits[quota]}, and this minute has no room for ${count} more; `) +
          "try again in the next minute, or ask this deployment's operator for a higher quota",
        minuteStartMs(minute) + MINUTE_MS - nowMs,
      );
    }
    known.unsaved = { ...known.unsaved, [field]: known.unsaved[field] + count };
    if (known.unsaved[field] < limits[quota] * UNSAVED_SHARE) return;
    const added = known.unsaved;
    known.stored = sum(known.stored, added);
    // Reset before the write: what is counted meanwhile belongs to the next one.
    known.unsaved = NO_RATES;
    known.stored = larger(known.stored, await usage.addRates(project, minute, added));
  };
}

const combine = (a: Rates, b: Rates, by: (x: number, y: number) => number): Rates => {
  const combined = { ...NO_RATES };
  for (const field of RATE_FIELDS) combined[field] = by(a[field], b[field]);
  return combined;
};

const sum = (a: Rates, b: Rates): Rates => combine(a, b, (x, y) => x + y);
/** Two writes of one process may be answered in either order. */
const larger = (a: Rates, b: Rates): Rates => combine(a, b, Math.max);
