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

type MarkDeps = Pick<StageDeps, 'runs' | 'clock'>;

interface TaskEnd extends RunTask {
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
export const markTask = async (end: TaskEnd, deps: MarkDeps): Promise<Execution | undefined> =>
  (await writeMark(end, deps)).row;

/**
 * Writes the mark of a task, for a caller that has nothing else to do in the run.
 *
 * @returns the row of the run, with which the caller is to go on. Undefined: it is gone, or another mark of
 *   the same write has a caller that goes on
 */
export async function markEnd(end: TaskEnd, deps: MarkDeps): Promise<Run | undefined> {
  const { row, goesOn } = await writeMark(end, deps);
  return goesOn && row && isRun(row) ? row : undefined;
}

async function writeMark(
  { run, graph, index, status, branch, fresh }: TaskEnd,
  { runs, clock }: MarkDeps,
): Promise<{ row: Execution | undefined; goesOn: boolean }> {
  const key = keyOfTask(index);
  const mark = markOf(status, clock.nowMs(), run.run, branch);
  const written = await runs.mark(run, { key, round: run.run.rounds[key], mark });
  const { applied, execution: row } = written;
  if (!row || !isRun(row)) return { row, goesOn: true };
  const isThere = !applied && row.run.marks[key] === mark;
  const made = isThere ? [key] : written.made;
  for (const one of madeReadyBy(graph, row.run, made)) fresh.add(one);
  return { row, goesOn: !applied || made.length > 0 };
}

/** The newer of two rows of one run, each as a write has returned it. */
export const newerRow = (one: Execution | undefined, other: Execution | undefined): Execution | undefined =>
  (other?.run?.moves ?? 0) >= (one?.run?.moves ?? 0) ? other : one;
