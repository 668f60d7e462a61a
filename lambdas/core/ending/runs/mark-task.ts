import { jobRefOf } from '../../contracts/tables';
import type { StageDeps } from '../../deps';
import { type Execution, isRun, type Run } from '../../domain/execution';
import { type Backfill, workflowOfBackfill } from '../../domain/workflow/backfill';
import { type Graph, graphOf } from '../../domain/workflow/graph';
import { keyOfTask, type MarkedStatus, markOf } from '../../domain/workflow/marks';
import { madeReadyBy } from '../../domain/workflow/progress';
import type { RunState } from '../../domain/workflow/run-state';

/** The graph of the version that a run has started with. Throws if that version is gone. */
export async function graphOfRun(
  {
    jobKey,
    execId,
    run,
    backfill,
  }: Pick<Run, 'jobKey' | 'execId'> & { run: Pick<RunState, 'version'>; backfill?: Backfill | undefined },
  { flows }: Pick<StageDeps, 'flows'>,
): Promise<Graph> {
  if (backfill) return graphOf(workflowOfBackfill(jobRefOf(jobKey).jobId, backfill));
  const flow = await flows.get(jobKey, run.version);
  if (!flow) throw new Error(`run ${execId} of ${jobKey}: version ${run.version} of its workflow is gone`);
  return graphOf(flow.workflow);
}

interface TaskEnd {
  run: Run;
  graph: Graph;
  index: number;
  status: MarkedStatus;
  /** Only of a switch: the index of the branch that it takes. */
  branch?: number;
  /** Gets the tasks that this mark makes ready. */
  fresh: Set<number>;
}

/**
 * Writes the mark of a task of the run's present round. Marks have an order, so exactly one of them makes a
 * task ready. A mark that is there already, to the second, counts as this one: a second message is harmless.
 *
 * @returns the run's row after that; undefined: it is gone
 */
export async function markTask(
  { run, graph, index, status, branch, fresh }: TaskEnd,
  { runs, clock }: Pick<StageDeps, 'runs' | 'clock'>,
): Promise<Execution | undefined> {
  const key = keyOfTask(index);
  const mark = markOf(status, clock.nowMs(), run.run, branch);
  const { applied, execution } = await runs.mark(run, { key, round: run.run.rounds[key], mark });
  if (!execution || !isRun(execution)) return execution;
  if (applied || execution.run.marks[key] === mark)
    for (const one of madeReadyBy(graph, execution.run, key)) fresh.add(one);
  return execution;
}
