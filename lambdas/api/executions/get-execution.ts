import { isRun } from '../../core/domain/execution';
import { paramsOf } from '../../core/domain/workflow/params';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { inParallel } from '../../core/async/in-parallel';
import { jobKeyOf } from '../../core/contracts/tables';
import type { Job } from '../../core/domain/job';
import { findExecutions, findJobs } from '../../core/store/read-whole';
import type { LookupView } from '../../core/http/openapi/lookup-answers';
import { LookupBody } from '../../core/http/lookup-queries';
import { executionMapKey, type ExecutionRef } from '../../core/store/execution-store';
import { countsOf, failedTasksOf } from '../runs/task-view';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { readBody } from '../http/parse-request';
import { tooLarge } from '../http/problem';
import { withMergedSkips, withFollowingSkips } from './merge-skipped-ranges';
import { executionView, executionViews, type AnyExecution, isRetained } from './execution-view';
import { findReadable, EXEC_ID, findPlanned } from './find-execution';

/**
 * 200 with one execution and its attempts. A run comes with the counts of its tasks. A planned execution that
 * has no row yet is found too.
 */
export async function getExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const found = await findReadable(request, deps);
  const execution = found.stored ? await withMergedSkips(found.execution, deps) : found.execution;
  const body = await executionView(execution, deps);
  if (!found.stored || !isRun(found.execution)) return { status: 200, body };
  const run = found.execution;
  const graph = await graphOfRun(run, deps);
  const [counts, given] = await Promise.all([
    countsOf({ run, graph }, deps),
    run.hasParams ? deps.runInputs.get(run) : undefined,
  ]);
  const params = graph.workflow.params && paramsOf(graph.workflow, given?.params);
  const output = run.output === undefined ? undefined : { value: JSON.parse(run.output) as unknown };
  const details = {
    counts,
    failedTasks: failedTasksOf(graph, run),
    ...(params && { params }),
    ...(output && { output: output.value }),
  };
  return { status: 200, body: { ...body, workflow: { ...body.workflow, ...details } } };
}

const PARALLEL_READS = 20;
/** Lambda returns at most 6 MB, in which our JSON is a string: each of its quotes counts twice. */
const MAX_BYTES = 2_500_000;

/**
 * 200 with the executions that the body names, in its order; null where there is none. One batch reads all
 * rows. What has no row is then looked for as the request for that execution alone would.
 */
export async function lookupExecutions(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { executions: asked } = readBody(request, LookupBody);
  const refs = asked.map(({ jobId, execId }) => ({
    jobKey: jobKeyOf({ userId: request.project, jobId }),
    execId,
  }));
  const possible = new Map(
    refs.filter(({ execId }) => EXEC_ID.test(execId)).map((ref) => [executionMapKey(ref), ref]),
  );
  const found = await findAll([...possible.values()], deps);
  const view = await executionViews(deps);
  const body: LookupView = {
    executions: refs.map((ref) => {
      const execution = found.get(executionMapKey(ref));
      return execution ? view(execution) : null;
    }),
  };
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_BYTES)
    throw tooLarge('executions', `have more than ${MAX_BYTES} bytes in the answer: ask for fewer at a time`);
  return { status: 200, body };
}

/** Those that exist, by `executionMapKey`. */
async function findAll(refs: readonly ExecutionRef[], deps: ApiDeps): Promise<Map<string, AnyExecution>> {
  const { executions: rows } = await findExecutions(refs, deps);
  const isMissing = (ref: ExecutionRef) => !rows.has(executionMapKey(ref));
  const isSkipped = (ref: ExecutionRef) => rows.get(executionMapKey(ref))?.status === 'skipped';
  const jobs = await jobsOf(
    refs.filter((ref) => isMissing(ref) || isSkipped(ref)),
    deps,
  );
  const nowMs = deps.clock.nowMs();
  const found = new Map<string, AnyExecution>();
  await inParallel(refs, PARALLEL_READS, async (ref) => {
    const key = executionMapKey(ref);
    const row = rows.get(key);
    const job = jobs.get(ref.jobKey);
    if (row && !isRetained(row, nowMs)) return;
    const one = row ? { stored: true as const, execution: row } : await findPlanned(ref, job, deps);
    if (one) found.set(key, one.stored ? await withFollowingSkips(one.execution, job, deps) : one.execution);
  });
  return found;
}

async function jobsOf(refs: readonly ExecutionRef[], deps: ApiDeps): Promise<ReadonlyMap<string, Job>> {
  const jobKeys = [...new Set(refs.map(({ jobKey }) => jobKey))];
  return (await findJobs(jobKeys, deps)).jobs;
}
