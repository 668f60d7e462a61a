import { changeSortOf } from '../../core/contracts/tables';
import type { Job, JobDefinition } from '../../core/domain/job';
import { cameBackAs, type JobState } from '../../core/domain/job-state';
import { FIRST_CHANGE } from '../../core/domain/job-revision';

/** One change of a job, derived from its states. */
export interface JobChange {
  /** Sorts the changes of a jobId, the newest last. */
  position: string;
  /** The state that the change led to, or that it deleted. */
  state: JobState;
  number: number;
  what: 'created' | 'changed' | 'paused' | 'resumed' | 'replanned' | 'restored' | 'deleted';
  /** The definition before, if it is kept. */
  before?: JobDefinition;
}

/**
 * The changes that led from state to state.
 *
 * @param states the newest first, as the store lists them, each at most once
 * @param job the job as it is now; undefined: there is none
 */
export const changesOf = (states: readonly JobState[], job: Job | undefined): JobChange[] =>
  states.flatMap((state, index) => {
    const newer = sameJob(state, states[index - 1]);
    const older = sameJob(state, states[index + 1]);
    const isGone = job?.createdAtMs !== state.createdAtMs;
    const isDeleted = state.removed && (newer ? cameBackAs(newer, state) : isGone);
    const change: JobChange = {
      position: changeSortOf(state),
      state,
      number: state.number,
      what: kindOf(state),
      ...(older?.definition && isPredecessor(older, state) && { before: older.definition }),
    };
    return isDeleted ? [deletionOf(state), change] : [change];
  });

/** Sorts directly after the position of the state that was deleted. */
const deletionOf = (state: JobState): JobChange => ({
  position: `${changeSortOf(state)}#deleted`,
  state,
  number: state.number + 1,
  what: 'deleted',
});

const sameJob = (state: JobState, other: JobState | undefined): JobState | undefined =>
  other?.createdAtMs === state.createdAtMs ? other : undefined;

function kindOf({ number, lastChange }: JobState): JobChange['what'] {
  if (lastChange) return lastChange.what;
  return number === FIRST_CHANGE ? 'created' : 'changed';
}

const isPredecessor = (older: JobState, state: JobState): boolean =>
  older.number === state.number - 1 || cameBackAs(state, older);
