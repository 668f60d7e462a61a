import type { RunOutcome } from '../../contracts/events';
import type { StageDeps } from '../../deps';
import type { EndedBy } from '../../domain/ended';
import type { Execution, FailedTask, Run } from '../../domain/execution';
import { failedTaskOf } from '../../domain/fingerprint';
import { derive, type Derivation } from '../../domain/workflow/derive';
import type { Graph } from '../../domain/workflow/graph';
import { keyOfTask, timeOfMark } from '../../domain/workflow/marks';
import { endOfRun } from '../../domain/workflow/progress';
import { readOneJob } from '../../store/read-whole';
import type { End } from '../end-request';
import { endWithoutFollowUps } from '../end-without-follow-ups';
import { readTaskRows } from './read-task-data';
import { outputOfRun } from './run-output';

const SHOWN_FAILURES = 5;
/** An event has at most 256 KB, and so have ten of them together. */
const PUBLISHED_FAILURES = 20;

/**
 * Ends a run whose tasks are all settled. The job is read: it may block its ordering key by a failure, and
 * other jobs may wait for it.
 *
 * @returns undefined: something has moved meanwhile
 */
export async function endSettledRun(
  run: Run,
  graph: Graph,
  by: EndedBy,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const derivation = derive(graph, run.run);
  const seen = endOfRun({ run: run.run, graph }, derivation);
  const { failedTasks } = seen;
  const job = await readOneJob(run.jobKey, deps);
  const made = job && (await outputOfRun({ run, graph, end: seen }, job, deps));
  const shown = failedTasks.slice(0, SHOWN_FAILURES).join(', ');
  const more = failedTasks.length > SHOWN_FAILURES ? `, and ${failedTasks.length - SHOWN_FAILURES} more` : '';
  // A run that cannot return what it promises has failed. One that has failed anyway keeps its reason.
  const fault = seen.status === 'succeeded' && made && 'fault' in made ? made : undefined;
  const body = failedTasks.length > 0 ? `failed tasks: ${shown}${more}` : fault?.fault;
  const failedTask =
    seen.reason === 'task-failed' ? await firstFailure(run, graph, derivation, deps) : undefined;
  const end: End = {
    status: fault ? 'failed' : seen.status,
    reason: fault?.reason ?? seen.reason,
    workflow: runOutcomeOf(derivation, failedTasks),
    ...(failedTask && { failedTask }),
    ...(made && 'output' in made && { output: made.output }),
    ...(body !== undefined && { result: { body }, error: body }),
  };
  return endWithoutFollowUps({ execution: run, end, precondition: { kind: 'run' }, job, by }, deps);
}

function runOutcomeOf({ states }: Derivation, failedTasks: readonly string[]): RunOutcome {
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return { failedTasks: failedTasks.slice(0, PUBLISHED_FAILURES), counts };
}

/** The task that failed first, read so that its run has its cause. It may have no row, as a fan-out. */
async function firstFailure(
  run: Run,
  graph: Graph,
  { failed }: Pick<Derivation, 'failed'>,
  deps: Pick<StageDeps, 'executions'>,
): Promise<FailedTask | undefined> {
  const endedAtMs = (index: number) => timeOfMark(run.run.marks[keyOfTask(index)]!, run.run);
  const [first] = failed.toSorted((a, b) => endedAtMs(a) - endedAtMs(b));
  if (first === undefined) return undefined;
  const rows = await readTaskRows(run, graph, [first], deps);
  return failedTaskOf(graph.tasks[first]!.id, rows.get(first));
}
