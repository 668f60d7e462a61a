import type { Actor } from '../actor';
import { type MarkedStatus, markOf } from './marks';
import type { RunState } from './run-state';

/** What a user's request changes of a run, in one write that asks for the moves seen. */
export interface RunEdit {
  set: Partial<
    Pick<RunState, 'marks' | 'rounds' | 'go' | 'heldAtMs' | 'heldBy' | 'endsAtMs' | 'touchedAtMs'>
  >;
  remove?: readonly ('heldAtMs' | 'heldBy')[];
}

/** Pauses a run: from then on no task of it begins to call. */
export const holding = (by: Actor, nowMs: number): RunEdit => ({ set: { heldAtMs: nowMs, heldBy: by } });

/** Resumes a paused run. The end of its time moves by the time that it was held. */
export function resuming({ endsAtMs, heldAtMs = 0 }: RunState, nowMs: number): RunEdit {
  const heldMs = Math.max(0, nowMs - heldAtMs);
  return { set: { endsAtMs: endsAtMs + heldMs, touchedAtMs: nowMs }, remove: ['heldAtMs', 'heldBy'] };
}

/** Marks a task that has not begun. `branch`: of a switch, the index of the one that it takes. */
export const marking = (
  run: RunState,
  key: string,
  status: MarkedStatus,
  at: { nowMs: number; branch?: number | undefined },
): RunEdit => ({
  set: { marks: { ...run.marks, [key]: markOf(status, at.nowMs, run, at.branch) } },
});
