import { expiresAtSecAfter, LONGEST_RUN_MS } from '../../core/domain/timing';
import type { Execution } from '../../core/domain/execution';
import type { IdempotencyStamp, Job } from '../../core/domain/job';
import { jobKeyOf } from '../../core/contracts/tables';
import { faultsOfParams, paramsOf, type Params } from '../../core/domain/workflow/params';
import type { RunInputRef } from '../../core/store/run-input-store';
import { withinDeadline, type WriteDeadline } from '../../core/store/write-deadline';
import { SECOND_MS } from '../../core/clock/clock';
import { checkFit } from '../jobs/payload-schema';
import { keyReused, invalid, invalidField, quotaExceeded } from '../http/problem';
import type { ApiDeps } from '../request';

/**
 * A new id, or the id that an earlier request with the same key got. Throws `ProblemError` 422 for another
 * body.
 */
export async function keyedExecId(
  userId: string,
  stamp: IdempotencyStamp | undefined,
  newId: (nowMs: number, id: string) => string,
  { clock, random, requestKeys, retentionDays }: ApiDeps,
): Promise<{ execId: string; known: boolean }> {
  const nowMs = clock.nowMs();
  const execId = newId(nowMs, random.id());
  if (!stamp) return { execId, known: false };
  const expiresAtSec = expiresAtSecAfter(nowMs, retentionDays);
  const key = await requestKeys.putUnlessKnown({ userId, ...stamp, resultId: execId, expiresAtSec });
  if (key.bodyHash !== stamp.bodyHash) throw keyReused();
  return { execId: key.resultId, known: key.resultId !== execId };
}

/**
 * Throws `ProblemError` 400 if the workflow of a job has no such parameters, or of other types. With the
 * defaults of the others, they have to fit the schema of the job.
 */
export async function checkParams(
  job: Job,
  params: Params | undefined,
  { flows }: Pick<ApiDeps, 'flows'>,
): Promise<void> {
  if (params !== undefined && !job.workflow)
    throw invalidField('params', 'is only allowed for a job with a workflow; use payload');
  if (!job.workflow || (params === undefined && !job.payloadSchema)) return;
  const flow = await flows.get(jobKeyOf(job), job.workflow.version);
  const errors = faultsOfParams(flow?.workflow.params, params ?? {});
  if (errors.length > 0) throw invalid(errors);
  if (flow) await checkFit(job, paramsOf(flow.workflow, params), 'params');
}

/** Writes the parameters of a run before its row, which then names them. A repeat writes them again. */
export async function putParams(
  run: RunInputRef,
  params: Params,
  deadline: WriteDeadline,
  deps: ApiDeps,
): Promise<void> {
  const expiresAtSec = expiresAtSecAfter(deadline.nowMs + LONGEST_RUN_MS, deps.retentionDays);
  await withinDeadline(
    deadline,
    (options) => deps.runInputs.put(run, { params }, expiresAtSec, options),
    deps,
  );
}

/**
 * Says by which external id a run is found, before its row says so: it is found at once. A repeat writes it
 * again.
 */
export async function putExternalId(
  run: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs' | 'externalId'>,
  { runLabels, clock, retentionDays }: Pick<ApiDeps, 'runLabels' | 'clock' | 'retentionDays'>,
): Promise<void> {
  if (run.externalId === undefined) return;
  const lastEndMs = Math.max(run.dueAtMs, clock.nowMs()) + LONGEST_RUN_MS;
  await runLabels.putExternalId(run, run.externalId, expiresAtSecAfter(lastEndMs, retentionDays));
}

const RETRY_AFTER_MS = 30 * SECOND_MS;

/**
 * Throws `ProblemError` 429 if these jobs would start more runs of workflows than the project may have under
 * way. Reads nothing if none of them has a workflow. Nothing is reserved: a run counts once it has started.
 */
export const checkLiveRuns = (
  project: string,
  jobs: readonly Pick<Job, 'workflow'>[],
  deps: Pick<ApiDeps, 'liveRuns' | 'deployment'>,
): Promise<void> =>
  checkRoomForRuns(project, jobs.filter(({ workflow }) => workflow !== undefined).length, deps);

/** Throws `ProblemError` 429 if so many runs more are too many. A backfill is one, whatever its job. */
export async function checkRoomForRuns(
  project: string,
  runs: number,
  { liveRuns, deployment: { quotas } }: Pick<ApiDeps, 'liveRuns' | 'deployment'>,
): Promise<void> {
  if (runs === 0) return;
  const room = await liveRuns.room(project);
  if (room >= runs) return;
  throw quotaExceeded(
    `the quota liveRuns is ${quotas.liveRuns}: there is room for ${room} more runs of workflows, this would start ` +
      `${runs}; wait until some have ended, cancel some, or ask this deployment's operator for a higher quota`,
    RETRY_AFTER_MS,
  );
}
