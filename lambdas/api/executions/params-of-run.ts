import { jobKeyOf } from '../../core/contracts/tables';
import type { Job } from '../../core/domain/job';
import { expiresAtSecAfter, LONGEST_RUN_MS } from '../../core/domain/timing';
import { faultsOfParams, type Params } from '../../core/domain/workflow/params';
import type { ExecutionRef } from '../../core/store/execution-store';
import { withinDeadline, type WriteDeadline } from '../../core/store/write-deadline';
import { invalid, invalidField } from '../http/problem';
import type { ApiDeps } from '../request';

/** Throws `ProblemError` 400 if the workflow of a job has no such parameters, or of other types. */
export async function checkParams(
  job: Job,
  params: Params | undefined,
  { flows }: Pick<ApiDeps, 'flows'>,
): Promise<void> {
  if (params === undefined) return;
  if (!job.workflow) throw invalidField('params', 'is only allowed for a job with a workflow; use payload');
  const flow = await flows.get(jobKeyOf(job), job.workflow.version);
  const errors = faultsOfParams(flow?.workflow.params, params);
  if (errors.length > 0) throw invalid(errors);
}

/** Writes the parameters of a run before its row, which then names them. A repeat writes them again. */
export async function putParams(
  run: ExecutionRef,
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
