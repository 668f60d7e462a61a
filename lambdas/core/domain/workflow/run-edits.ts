import type { Actor } from '../actor';
import type { RunState } from './run-state';

/** What a user's request changes of a run, in one write that asks for the moves seen. */
export interface RunEdit {
  set: Partial<
    Pick<RunState, 'marks' | 'rounds' | 'go' | 'heldAtMs' | 'heldBy' | 'endsAtMs' | 'touchedAtMs'>
  >;
  remove?: readonly ('heldAtMs' | 'heldBy')[];
}

/** Holds a run: from then on no task of it begins to call. */
export const holding = (by: Actor, nowMs: number): RunEdit => ({ set: { heldAtMs: nowMs, heldBy: by } });

/** Resumes a held run. The end of its time moves by the time that it was held. */
export function resuming({ endsAtMs, heldAtMs = 0 }: RunState, nowMs: number): RunEdit {
  const heldMs = Math.max(0, nowMs - heldAtMs);
  return { set: { endsAtMs: endsAtMs + heldMs, touchedAtMs: nowMs }, remove: ['heldAtMs', 'heldBy'] };
}

/** Marks a task that still waits, or opens tasks again: all marks are written as they are to be. */
export const marking = ({ marks }: RunState, key: string, mark: string): RunEdit => ({
  set: { marks: { ...marks, [key]: mark } },
});
