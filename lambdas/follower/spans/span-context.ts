import type { Sampling } from '../../core/contracts/otlp';
import { jobKeyOf, jobRefOf } from '../../core/contracts/tables';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { type Execution, isRun } from '../../core/domain/execution';
import type { EndSeen } from '../../core/domain/journal-end';
import type { Job } from '../../core/domain/job';
import type { Graph } from '../../core/domain/workflow/graph';
import { isTaskExecution, runOf } from '../../core/domain/workflow/task-id';
import { executionMapKey, type ExecutionRef, type ExecutionStore } from '../../core/store/execution-store';
import type { FlowStore } from '../../core/store/flow-store';
import type { JobStore } from '../../core/store/job-store';
import { findExecutions, findJobs } from '../../core/store/read-whole';
import type { Log } from '../../core/telemetry/telemetry';

/** What spans are made of, beside the rows that have ended. */
export interface SpanContext {
  secret: Buffer;
  sampling: Sampling;
  /** The row of another execution: a task's run, or what has caused one. Undefined: it is gone. */
  executionOf(ref: ExecutionRef): Execution | undefined;
  jobOf(jobKey: string): Job | undefined;
  /** The graph of a run. Undefined: its version is gone. */
  graphOf(run: ExecutionRef): Graph | undefined;
}

export interface SpanReads {
  executions: Pick<ExecutionStore, 'getMany'>;
  jobs: Pick<JobStore, 'getMany'>;
  flows: FlowStore;
  log: Log;
}

/** The run of a task. Any other execution is its own. */
export const runRefOf = ({ jobKey, execId }: ExecutionRef): ExecutionRef => ({
  jobKey,
  execId: runOf(execId),
});

/** What has caused an execution, if that is another one. */
export function causeRefOf({ jobKey, parent, cause }: Execution): ExecutionRef | undefined {
  if (parent) return { jobKey: parent.jobKey, execId: parent.execId };
  if (cause?.type !== 'after') return undefined;
  const { userId } = jobRefOf(jobKey);
  return { jobKey: jobKeyOf({ userId, jobId: cause.jobId }), execId: cause.execId };
}

/**
 * Reads what the spans of these ends need: runs of tasks, causes, jobs and versions of workflows. Eventually
 * consistent: what is read was written long before, and a span is no decision.
 * Cost: half a read unit for each job, run and cause, once a batch.
 */
export async function readSpanContext(
  ends: readonly EndSeen[],
  keys: Pick<SpanContext, 'secret' | 'sampling'>,
  reads: SpanReads,
): Promise<SpanContext> {
  const known = new Map<string, Execution>(
    ends.filter(({ execId }) => !isTaskExecution(execId)).map((end) => [executionMapKey(end), end]),
  );
  const wanted = new Map<string, ExecutionRef>();
  for (const end of ends)
    for (const ref of [runRefOf(end), causeRefOf(end)])
      if (ref && !known.has(executionMapKey(ref))) wanted.set(executionMapKey(ref), ref);
  const [{ executions }, { jobs }] = await Promise.all([
    findExecutions([...wanted.values()], reads, { consistent: false }),
    findJobs([...new Set(ends.map(({ jobKey }) => jobKey))], reads, { consistent: false }),
  ]);
  const executionOf = (ref: ExecutionRef) =>
    known.get(executionMapKey(ref)) ?? executions.get(executionMapKey(ref));
  const graphs = new Map<string, Graph>();
  for (const end of ends) {
    const run = executionOf(runRefOf(end));
    if (!run || !isRun(run) || graphs.has(executionMapKey(run))) continue;
    const graph = await graphIn(run, reads);
    if (graph) graphs.set(executionMapKey(run), graph);
  }
  return {
    ...keys,
    executionOf,
    jobOf: (jobKey) => jobs.get(jobKey),
    graphOf: (run) => graphs.get(executionMapKey(run)),
  };
}

async function graphIn(
  run: Parameters<typeof graphOfRun>[0],
  { flows, log }: SpanReads,
): Promise<Graph | undefined> {
  const flow = run.backfill ? true : await flows.get(run.jobKey, run.run.version);
  if (flow) return graphOfRun(run, { flows });
  log.warn('the version of a run is gone: its tasks have spans without targets', {
    jobKey: run.jobKey,
    execId: run.execId,
  });
  return undefined;
}
