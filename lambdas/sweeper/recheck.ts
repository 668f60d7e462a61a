import type { DispatchDeps } from '../core/deps';
import type { CatchUpPacer } from '../core/domain/plan-entry';
import type { Entry } from '../core/domain/entry';
import { SECOND_LOOK_AFTER_MS } from '../core/domain/timing';
import type { BacklogOf } from '../core/queue/backlogs';

/** What a second look works with. */
export interface Look {
  deps: DispatchDeps;
  backlogOf: BacklogOf;
  /** One for a whole pass, so that catch-ups of many jobs make no burst either. */
  pacer: CatchUpPacer;
}

/** When to look at the same entry again; `waits` counts looks that found nothing but a long queue. */
export interface Again {
  pauseMs: number;
  waits: number;
}

export const SOON: Again = { pauseMs: SECOND_LOOK_AFTER_MS, waits: 0 };

/** Files an entry again so that it is looked at after the pause; never behind the sweep. */
export async function fileAgain(
  entry: Entry,
  { pauseMs, waits }: Again,
  { schedule, clock }: Pick<DispatchDeps, 'schedule' | 'clock'>,
): Promise<void> {
  const lookAtMs = clock.nowMs() + Math.max(0, pauseMs - SECOND_LOOK_AFTER_MS);
  await schedule.putEntries([{ ...entry, lookAtMs, waits }]);
}
