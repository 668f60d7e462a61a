import type { recheckMessage } from '../core/alerts/recheck-message';
import type { tellLate } from '../core/alerts/tell-late';
import { MINUTE_MS } from '../core/clock/clock';
import type { ProbeRequest } from '../core/contracts/messages';
import type { StageDeps } from '../core/deps';
import type { CatchUpPacer } from '../core/domain/plan-entry';
import type { Entry, OccurrenceEntry } from '../core/domain/entry';
import type { Errand } from '../core/domain/errand';
import type { Run } from '../core/domain/execution';
import type { OnErrand } from '../core/domain/lease';
import type { Job } from '../core/domain/job';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import type { BacklogOf } from '../core/queue/backlogs';

export interface SweeperDeps extends StageDeps {
  /**
   * Rechecks a run as a whole: its tasks need no entries of their own.
   *
   * @param job undefined: it is deleted
   */
  recheckRun(run: Run, job: Job | undefined, context: RecheckContext): Promise<void>;
  /** Orders probes at the errand of an execution. */
  recheckErrand(entry: Entry, execution: OnErrand, deps: SweeperDeps): Promise<void>;
  /** Decides occurrences of a monitor that have no row. Returns when to recheck their entry again. */
  recheckMonitored(
    entry: OccurrenceEntry,
    withoutRow: readonly string[],
    job: Job,
    deps: SweeperDeps,
  ): Promise<NextRecheck | undefined>;
  /**
   * Rechecks the entry of a time that a job has beside its due times.
   *
   * @returns false if the entry is for executions
   */
  recheckJobTime(entry: Entry, job: Job | undefined, deps: SweeperDeps): Promise<boolean>;
  probes: {
    /** Whether the budget of probes allows another one, which it then counts. */
    mayProbe(errand: Errand, nowMs: number): boolean;
    /** Asks the watcher to probe. */
    order(request: ProbeRequest): Promise<void>;
  };
  /** What notifications need of a recheck, beside its ends. */
  notify: {
    recheckMessage: typeof recheckMessage;
    tellLate: typeof tellLate;
  };
}

/** What a recheck works with. */
export interface RecheckContext {
  deps: SweeperDeps;
  backlogOf: BacklogOf;
  /** One for a whole pass, so that catch-ups of many jobs make no burst either. */
  pacer: CatchUpPacer;
}

/**
 * When to recheck the same entry again. `rechecks` counts those that found only a long queue or a closed
 * gate.
 */
export interface NextRecheck {
  pauseMs: number;
  rechecks: number;
  /** An execution of the entry waits at a gate or in a long queue, or has waited there. */
  hasWaited?: true;
}

export const RECHECK_SOON: NextRecheck = { pauseMs: RECHECK_AFTER_MS, rechecks: 0 };

const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/** The pause doubles with each recheck, from 20 s to 10 min. */
export function recheckLater({ rechecks = 0 }: Entry): NextRecheck {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, RECHECK_AFTER_MS * 2 ** rechecks);
  return { pauseMs, rechecks: isLongest({ pauseMs }) ? rechecks : rechecks + 1 };
}

export const isLongest = ({ pauseMs }: Pick<NextRecheck, 'pauseMs'>): boolean => pauseMs >= LONGEST_PAUSE_MS;

/** Files an entry again, so that it is rechecked after the pause. Never behind the sweep. */
export async function fileRecheck(
  entry: Entry,
  { pauseMs, ...marks }: NextRecheck,
  { schedule, clock }: Pick<StageDeps, 'schedule' | 'clock'>,
): Promise<void> {
  const checkAtMs = clock.nowMs() + Math.max(0, pauseMs - RECHECK_AFTER_MS);
  await schedule.putEntries([{ ...entry, checkAtMs, ...marks }]);
}
