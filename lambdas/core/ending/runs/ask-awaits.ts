import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import type { EndedRow } from '../../domain/ended';
import { followUps } from '../../domain/follow-ups';
import { derive } from '../../domain/workflow/derive';
import { roundOf } from '../../domain/workflow/marks';
import { awaitsReady } from '../../domain/workflow/progress';
import { isAlive, isJobGone } from '../../domain/workflow/task-eligibility';
import { taskRefOf } from '../../domain/workflow/task-id';
import type { ExecutionRef } from '../../store/execution-store';
import { readOneJob } from '../../store/read-whole';
import { decideTask } from './decide-task';
import { graphOfRun } from './mark-task';
import { markAndGoOn } from './task-ends';

/** Runs that are gone on with at the same time. */
const CONCURRENCY = 5;

/**
 * Asks again for the tasks that wait for these executions. Jobs for which no task waits cost nothing. What
 * fails for one task is left to the rechecks of its run, which ask too.
 *
 * @returns the executions whose tasks could not be read, with the reason
 */
export async function askAwaits(
  ended: readonly EndedRow[],
  deps: StageDeps,
): Promise<Map<EndedRow, unknown>> {
  const failed = new Map<EndedRow, unknown>();
  for (const one of ended.filter((row) => followUps(row).includes('ask-awaits'))) {
    try {
      await inParallel(await waitingFor(one, deps), CONCURRENCY, async (task) => {
        try {
          await afterUpstream(task, deps);
        } catch (error) {
          const { jobKey, execId } = task;
          deps.log.error('a task that waits for another job is left to its run', error, { jobKey, execId });
        }
      });
    } catch (error) {
      failed.set(one, error);
    }
  }
  return failed;
}

/** The tasks in whose windows an ended execution lies, or the occurrences that its row covers. */
async function waitingFor(
  { jobKey, dueAtMs, skipped }: EndedRow,
  { awaits }: StageDeps,
): Promise<ExecutionRef[]> {
  const throughMs = Math.max(dueAtMs, skipped?.toMs ?? dueAtMs);
  const open = await awaits.list(jobKey, dueAtMs);
  return open.filter(({ fromMs }) => fromMs <= throughMs);
}

/**
 * After an end of another job: asks again for a task that waits for that job. If that is its answer, the task
 * ends, and its run goes on. A task that waits no more is left alone. Repeating it does no harm.
 */
async function afterUpstream({ jobKey, execId }: ExecutionRef, deps: StageDeps): Promise<void> {
  const ref = taskRefOf(execId);
  const run = ref && (await deps.executions.get({ jobKey, execId: ref.run }));
  if (!isAlive(run)) return;
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(ref!.task);
  if (index === undefined || roundOf(run.run, index) !== ref!.round) return;
  if (!awaitsReady({ run: run.run, graph }, derive(graph, run.run)).includes(index)) return;
  const job = await readOneJob(jobKey, deps);
  if (!job || isJobGone(run, job)) return; // the recheck of the run stops it
  const decision = await decideTask({ run, graph, index }, job, deps);
  if (!decision || 'startAtMs' in decision) return;
  await markAndGoOn({ run, graph, index, ...decision }, deps);
}
