import { jobRefOf } from '../../contracts/tables';
import type { StageDeps } from '../../deps';
import { type Execution, isRun, type Run } from '../../domain/execution';
import { type Backfill, workflowOfBackfill } from '../../domain/workflow/backfill';
import { type Graph, graphOf } from '../../domain/workflow/graph';
import { keyOfTask, type MarkedStatus, markOf } from '../../domain/workflow/marks';
import { madeReadyBy } from '../../domain/workflow/progress';
import type { RunTask } from '../../domain/workflow/run-task';
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

export interface TaskEnd extends RunTask {
  status: MarkedStatus;
  /** Only of a switch: the index of the branch that it takes. */
  branch?: number;
}

/** What marks have made of a run. */
export interface Marked {
  /** The run after them; undefined: it is gone. */
  row: Execution | undefined;
  /** The tasks that they have made ready. */
  ready: readonly number[];
}

/**
 * Writes the mark of a task of the run's present round. Marks have an order, so exactly one of them makes a
 * task ready. A mark that is there already, to the second, counts as this one: a second message is harmless.
 *
 * @returns `goesOn` false: another mark of the same write has a caller that goes on with the run
 */
export async function markTask(
  { run, graph, index, status, branch }: TaskEnd,
  { runs, clock }: Pick<StageDeps, 'runs' | 'clock'>,
): Promise<Marked & { goesOn: boolean }> {
  const key = keyOfTask(index);
  const mark = markOf(status, clock.nowMs(), run.run, branch);
  const written = await runs.mark(run, { key, round: run.run.rounds[key], mark });
  const { applied, execution: row } = written;
  if (!row || !isRun(row)) return { row, ready: [], goesOn: true };
  const isThere = !applied && row.run.marks[key] === mark;
  const made = isThere ? [key] : written.made;
  return { row, ready: madeReadyBy(graph, row.run, made), goesOn: !applied || made.length > 0 };
}

/** What marks of one run have made of it together, beginning with what it was. */
export const allMarked = (run: Run, marks: readonly Marked[]): Marked => ({
  row: marks.reduce<Execution | undefined>((last, { row }) => newer(last, row), run),
  ready: marks.flatMap(({ ready }) => ready),
});

/** The newer of two rows of one run, each as a write has returned it. */
const newer = (one: Execution | undefined, other: Execution | undefined): Execution | undefined =>
  (other?.run?.moves ?? 0) >= (one?.run?.moves ?? 0) ? other : one;
