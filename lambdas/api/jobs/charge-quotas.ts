import { MINUTE_MS, SECOND_MS, type Clock } from '../../core/clock/clock';
import type { QuotaLimits } from '../../core/contracts/quotas';
import { boundsOf, minus, NO_USAGE, plus, reaches, type Usage, USAGE_FIELDS } from '../../core/quotas/usage';
import type { UsageStore } from '../../core/store/usage-store';
import { type ProblemError, quotaExceeded } from '../http/problem';
import type { Quotas } from '../request';
import { rateQuotas } from './charge-rates';
import { perProject } from '../../core/async/per-project';

/** A project's usage as this process knows it. */
interface Known {
  /** The project's row, as last read or written. */
  stored: Usage;
  readAtMs: number;
  /** Changes that are not added to the row yet. */
  unsaved: Usage;
  /**
   * Settles after the last operation queued for this project: they run one at a time, so a batch cannot
   * overshoot.
   */
  idle: Promise<void>;
}

/** Share of a bound that one process may leave unsaved. Fifty processes together stay below 5 %. */
const UNSAVED_SHARE = 0.001;
/** From this share of a bound on, every change is saved at once, and every check reads the row. */
const NEAR_SHARE = 0.8;
const HALF = 0.5;
/** The auditor recounts the usage every ten minutes. */
const RETRY_AFTER_MS = 10 * MINUTE_MS;

/**
 * Quotas on the usage that the auditor counted, plus the changes since. A process collects its changes up to
 * a thousandth of a bound before it adds them to the project's row. So far from a bound hardly any change
 * costs a write; near it every change does.
 */
export function quotas(
  limits: QuotaLimits,
  { usage, clock }: { usage: UsageStore; clock: Pick<Clock, 'monotonicMs' | 'nowMs'> },
): Quotas {
  const bounds = boundsOf(limits);
  const knownOf = perProject(nothingKnown);

  const oneAtATime = <Result>(project: string, work: (known: Known) => Promise<Result>): Promise<Result> => {
    const known = knownOf(project);
    const done = known.idle.then(() => work(known));
    const next = () => undefined;
    known.idle = done.then(next, next); // a failure concerns its caller only; the next operation still runs
    return done;
  };

  const isFresh = (known: Known) => isFreshAt(clock.monotonicMs(), known, bounds);

  const read = async (project: string, known: Known, consistent: boolean): Promise<void> => {
    const readAtMs = clock.monotonicMs();
    known.stored = await usage.get(project, { consistent });
    known.readAtMs = readAtMs;
  };

  const admit = async (project: string, known: Known, change: Usage): Promise<void> => {
    if (USAGE_FIELDS.every((field) => change[field] <= 0)) return;
    if (!isFresh(known)) await read(project, known, false);
    if (exceeded(known, change, bounds)) await read(project, known, true);
    const field = exceeded(known, change, bounds);
    if (field) throw quotaProblem(field, usedOf(known), change, limits);
  };

  const count = async (project: string, known: Known, change: Usage): Promise<void> => {
    const unsaved = plus(known.unsaved, change);
    known.unsaved = unsaved;
    const isNear = reaches(usedOf(known), bounds, NEAR_SHARE);
    if (!isNear && !reaches(unsaved, bounds, UNSAVED_SHARE)) return;
    // Reset before the write: if only its acknowledgement is lost, the change must not count twice.
    known.unsaved = NO_USAGE;
    const readAtMs = clock.monotonicMs();
    known.stored = await usage.add(project, unsaved);
    known.readAtMs = readAtMs;
  };

  return {
    chargeRate: rateQuotas(limits, { usage, clock }),
    charge: (project, change) =>
      oneAtATime(project, async (known) => {
        await admit(project, known, change);
        await count(project, known, change);
      }),
    check: (project, change) =>
      oneAtATime(project, async (known) => {
        if (!isFresh(known)) await read(project, known, false);
        await admit(project, known, change);
        return { used: usedOf(known), bounds };
      }),
    giveBack: (project, change) =>
      oneAtATime(project, (known) => count(project, known, minus(NO_USAGE, change))),
  };
}

const nothingKnown = (): Known => ({
  stored: NO_USAGE,
  readAtMs: Number.NEGATIVE_INFINITY,
  unsaved: NO_USAGE,
  idle: Promise.resolve(),
});

function isFreshAt(monotonicMs: number, known: Known, bounds: Usage): boolean {
  const used = usedOf(known);
  if (reaches(used, bounds, NEAR_SHARE)) return false;
  return monotonicMs - known.readAtMs < (reaches(used, bounds, HALF) ? 10 * SECOND_MS : MINUTE_MS);
}

const usedOf = ({ stored, unsaved }: Known): Usage => plus(stored, unsaved);

/** The first quota that the change would exceed. It can exceed only what it increases. */
const exceeded = (known: Known, change: Usage, bounds: Usage): keyof Usage | undefined =>
  USAGE_FIELDS.find((field) => change[field] > 0 && usedOf(known)[field] + change[field] > bounds[field]);

/** For each count, the quota that bounds it, and how many of the count are one unit of the quota. */
const QUOTA_OF = {
  jobs: { quota: 'jobs', unit: 1 },
  firesPerHour: { quota: 'firesPerMinute', unit: 60 },
  payloadBytes: { quota: 'payloadBytes', unit: 1 },
  liveRuns: { quota: 'liveRuns', unit: 1 },
} as const satisfies Record<keyof Usage, { quota: keyof QuotaLimits; unit: number }>;

function quotaProblem(field: keyof Usage, used: Usage, change: Usage, limits: QuotaLimits): ProblemError {
  const { quota, unit } = QUOTA_OF[field];
  const shown = (count: number) => Number((Math.max(0, count) / unit).toFixed(2));
  return quotaExceeded(
    `the quota ${quota} is ${limits[quota]}: ${shown(used[field])} are used, this would take ${shown(change[field])} more; ` +
      "delete or pause jobs, or ask this deployment's operator for a higher quota",
    RETRY_AFTER_MS,
  );
}

/** The change of usage from one state of a job to another; undefined: no job. */
export const usageChange = (before: Usage | undefined, after: Usage | undefined): Usage =>
  minus(after ?? NO_USAGE, before ?? NO_USAGE);
