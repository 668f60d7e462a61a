import { changeSortOf, jobKeyOf, type JobRef, MAX_CHANGE_NUMBER } from '../../core/contracts/tables';
import { ChangeQuery } from '../../core/http/queries';
import type { Job } from '../../core/domain/job';
import type { JobState } from '../../core/domain/job-state';
import { readQuery, requestedJob } from '../http/parse-request';
import { invalidField, notFound } from '../http/problem';
import { stateOf } from '../../core/domain/kept-state';
import type { ApiDeps, ApiRequest } from '../request';
import { changesOf, type JobChange } from './changes-of';

/** A change, and the job as it is now. */
export interface FoundChange {
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
