import { changeSortOf, jobKeyOf, type JobRef, MAX_CHANGE_NUMBER } from '../../core/contracts/tables';
import { ChangeQuery } from '../../core/http/queries';
import type { Job, JobDefinition } from '../../core/domain/job';
import { type JobState, cameBackAs } from '../../core/domain/job-state';
import { stateOf } from '../../core/domain/kept-state';
import { FIRST_CHANGE } from '../../core/domain/job-revision';
import { readQuery, requestedJob } from '../http/parse-request';
import { invalidField, notFound } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

/** A change, and the job as it is now. */
interface FoundChange {
  ref: JobRef;
  job: Job | undefined;
  change: JobChange;
}

/** More rows than states that one number and its neighbours can have. */
const ROWS_READ = 10;

/**
 * The change that the path names. If several jobs have had the id, the newest counts, unless the query names
 * another by its creation time. Throws `ProblemError` 400 or 404.
 */
export async function findChange(request: ApiRequest, deps: ApiDeps): Promise<FoundChange> {
  const ref = requestedJob(request);
  const number = requestedNumber(request);
  const { createdAt } = readQuery(request, ChangeQuery);
  const job = await deps.jobs.get(ref);
  const createdAtMs = createdAt ?? job?.createdAtMs ?? (await newestState(ref, deps))?.createdAtMs;
  if (createdAtMs === undefined) throw notFound('job');
  const { states } = await deps.changes.list(jobKeyOf(ref), {
    // the state before, which may be two numbers below, and the state after
    from: changeSortOf({ createdAtMs, number: Math.max(0, number - 2) }),
    before: changeSortOf({ createdAtMs, number: number + 2 }),
    limit: ROWS_READ,
  });
  const change = changesOf(withPresent(states, job), job).find(
    (found) => found.number === number && found.state.createdAtMs === createdAtMs,
  );
  if (!change) throw notFound('change');
  return { ref, job, change };
}

/** The newest state that is kept of all jobs that have had the id. The state of a job itself is not kept. */
export const newestState = async (
  ref: JobRef,
  { changes }: Pick<ApiDeps, 'changes'>,
): Promise<JobState | undefined> => (await changes.list(jobKeyOf(ref), { limit: 1 })).states[0];

/**
 * Kept states with the job's own before them. A request that crashed, or is not at its end, may have kept the
 * job's own state already.
 */
export function withPresent(kept: readonly JobState[], job: Job | undefined): JobState[] {
  if (!job) return [...kept];
  return [stateOf(job), ...kept.filter(({ etag }) => etag !== job.etag)];
}

function requestedNumber({ params: { number = '' } }: ApiRequest): number {
  const value = /^[1-9]\d*$/.test(number) ? Number(number) : 0;
  if (value >= 1 && value < MAX_CHANGE_NUMBER - 1) return value;
  throw invalidField(
    'number',
    `is ${JSON.stringify(number.slice(0, 60))}; must be a whole number from 1 to ${MAX_CHANGE_NUMBER - 2}`,
  );
}

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
