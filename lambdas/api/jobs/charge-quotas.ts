import { MINUTE_MS, SECOND_MS, type Clock } from '../../core/clock/clock';
import type { QuotaLimits } from '../../core/contracts/quotas';
import { boundsOf, minus, NO_USAGE, plus, reaches, type Usage, USAGE_FIELDS } from '../../core/quotas/usage';
import type { UsageStore } from '../../core/store/usage-store';
import { type ProblemError, quotaExceeded } from '../http/problem';
import type { Quotas } from '../request';

/** What this process knows of a user: the row as it was read or written last, and what it has not added to it yet. */
interface Known {
  stored: Usage;
  readAtMs: number;
  unsaved: Usage;
  /** Ends with whoever came last: the items of a batch are judged one after the other. */
  turn: Promise<void>;
}

/** So much of a bound may be unsaved in one process; fifty of them together stay below 5 %. */
const UNSAVED_SHARE = 0.001;
/** From here on every change is counted at once, and every check reads. */
const NEAR_SHARE = 0.8;
const HALF = 0.5;
const USERS_KNOWN = 1_000;
/** The auditor counts anew every ten minutes. */
const RETRY_AFTER_MS = 10 * MINUTE_MS;

/**
 * Quotas by what the auditor counted and what was changed since. A process adds its changes to the user's row by the
 * thousandth of a bound, so that far from it hardly any change pays for a write; near it each does.
 */
export function quotas(
  limits: QuotaLimits,
  { usage, clock }: { usage: UsageStore; clock: Pick<Clock, 'monotonicMs'> },
): Quotas {
  const bounds = boundsOf(limits);
  const users = new Map<string, Known>();

  const knownOf = (userId: string): Known => {
    const known = users.get(userId) ?? {
      stored: NO_USAGE,
      readAtMs: Number.NEGATIVE_INFINITY,
      unsaved: NO_USAGE,
      turn: Promise.resolve(),
    };
    users.delete(userId);
    users.set(userId, known); // the last one: the first is the one that was asked for longest ago
    if (users.size > USERS_KNOWN) users.delete(users.keys().next().value!);
    return known;
  };

  const inTurn = (userId: string, work: (known: Known) => Promise<void>): Promise<void> => {
    const known = knownOf(userId);
    const done = known.turn.then(() => work(known));
    const next = () => undefined;
    known.turn = done.then(next, next); // what failed is told to its own caller, and the next one has its turn
    return done;
  };

  const isFresh = (known: Known): boolean => {
    const used = usedOf(known);
    const ageMs = clock.monotonicMs() - known.readAtMs;
    if (reaches(used, bounds, NEAR_SHARE)) return false;
    return ageMs < (reaches(used, bounds, HALF) ? 10 * SECOND_MS : MINUTE_MS);
  };

  const read = async (userId: string, known: Known, consistent: boolean): Promise<void> => {
    const readAtMs = clock.monotonicMs();
    known.stored = await usage.get(userId, { consistent });
    known.readAtMs = readAtMs;
  };

  const count = async (userId: string, known: Known, change: Usage): Promise<void> => {
    const unsaved = plus(known.unsaved, change);
    known.unsaved = unsaved;
    const isNear = reaches(usedOf(known), bounds, NEAR_SHARE);
    if (!isNear && !reaches(unsaved, bounds, UNSAVED_SHARE)) return;
    // Forgotten before it is added: an answer that gets lost must not count it twice.
    known.unsaved = NO_USAGE;
    const readAtMs = clock.monotonicMs();
    known.stored = await usage.add(userId, unsaved);
    known.readAtMs = readAtMs;
  };

  return {
    charge: (userId, change) =>
      inTurn(userId, async (known) => {
        if (USAGE_FIELDS.some((field) => change[field] > 0)) {
          if (!isFresh(known)) await read(userId, known, false);
          if (exceeded(known, change, bounds)) await read(userId, known, true);
          const field = exceeded(known, change, bounds);
          if (field) throw problemOf(field, usedOf(known), change, limits);
        }
        await count(userId, known, change);
      }),
    giveBack: (userId, change) => inTurn(userId, (known) => count(userId, known, minus(NO_USAGE, change))),
  };
}

const usedOf = ({ stored, unsaved }: Known): Usage => plus(stored, unsaved);

/** The first quota that the change would pass. What it does not raise, it does not pass. */
const exceeded = (known: Known, change: Usage, bounds: Usage): keyof Usage | undefined =>
  USAGE_FIELDS.find((field) => change[field] > 0 && usedOf(known)[field] + change[field] > bounds[field]);

/** What is counted, as the quota that bounds it, and how much of it is one of the quota's unit. */
const QUOTA_OF = {
  jobs: { quota: 'jobs', unit: 1 },
  firesPerHour: { quota: 'firesPerMinute', unit: 60 },
  payloadBytes: { quota: 'payloadBytes', unit: 1 },
} as const satisfies Record<keyof Usage, { quota: keyof QuotaLimits; unit: number }>;

function problemOf(field: keyof Usage, used: Usage, change: Usage, limits: QuotaLimits): ProblemError {
  const { quota, unit } = QUOTA_OF[field];
  const shown = (count: number) => Number((Math.max(0, count) / unit).toFixed(2));
  return quotaExceeded(
    `the quota ${quota} is ${limits[quota]}: ${shown(used[field])} are used, this would take ${shown(change[field])} more; ` +
      'delete or pause jobs, or ask whoever runs this deployment for more',
    RETRY_AFTER_MS,
  );
}

/** What a change from one job to another takes; either may be none. */
export const usageChange = (before: Usage | undefined, after: Usage | undefined): Usage =>
  minus(after ?? NO_USAGE, before ?? NO_USAGE);
