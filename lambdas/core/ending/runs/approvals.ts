import { tellApproval, tellsOfApproval } from '../../alerts/tell-approval';
import { DAY_MS } from '../../clock/clock';
import { runValues } from '../../delivery/job-templates/run-values';
import type { StageDeps } from '../../deps';
import type { Execution } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { expiresAtSecAfter } from '../../domain/timing';
import type { Approval } from '../../domain/workflow/definition';
import { readySinceMs } from '../../domain/workflow/progress';
import type { RunTask } from '../../domain/workflow/run-task';
import { recheckEntryNow } from '../../queue/attempt-entries';
import { parseDuration } from '../../schedule/duration';
import type { Waiting } from '../../store/waiting-store';
import { Renderer } from '../../templates/render';
import { TemplateError } from '../../templates/template-error';
import { readTaskData } from './read-task-data';
import { taskRefIn } from './unstarted-task';

const approvalOf = ({ graph, index }: RunTask): Approval => graph.tasks[index]!.task.approval!;

/** Until when an approval may be given. */
export const approvalEndMs = (task: RunTask): number =>
  readySinceMs({ run: task.run.run, graph: task.graph }, task.index) +
  parseDuration(approvalOf(task).timeout);

/**
 * Lists an approval that has become ready. If a notification tells of it, an entry is filed first, by which
 * the sweeper tells it soon. Repeating it does no harm.
 *
 * @param job undefined: it is deleted, and its run is about to stop
 * @returns the approval as it is listed
 */
export async function listApproval(
  task: RunTask,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Waiting | undefined> {
  if (!job) return undefined;
  const ref = taskRefIn(task.run, task.graph, task.index);
  const listed = await deps.waiting.get(ref);
  if (listed) return listed;
  const sinceMs = readySinceMs({ run: task.run.run, graph: task.graph }, task.index);
  const untilMs = approvalEndMs(task);
  const note = await noteOf(task, job, deps);
  const toTell = await tellsOfApproval(job, sinceMs, deps);
  if (toTell) await deps.schedule.putEntries([await recheckEntryNow(task.run, deps)]);
  const waiting: Waiting = {
    kind: 'approval',
    ...ref,
    sinceMs,
    untilMs,
    ...(note !== undefined && { note }),
    ...(toTell && { toTell }),
    expiresAtSec: expiresAtSecAfter(untilMs + DAY_MS, deps.retentionDays),
  };
  await deps.waiting.put(waiting);
  return waiting;
}

/**
 * Rechecks an approval that still waits: it is listed, and notifications tell of it once. Order of writes:
 * the messages → the row that says so. A recheck that dies in between is repeated, and finds each message.
 * What this process knows no notification for is left to the next recheck: its list may be old.
 */
export async function recheckListed(task: RunTask, job: Job | undefined, deps: StageDeps): Promise<void> {
  const waiting = await listApproval(task, job, deps);
  if (!job || !waiting?.toTell) return;
  const { deliveryDepth } = task.run;
  if ((await tellApproval(waiting, { job, deliveryDepth }, deps)) === 0) return;
  const { toTell: _, ...published } = waiting;
  await deps.waiting.put(published);
}

const MAX_NOTE_CHARACTERS = 500;

/** The note of an approval as its user reads it; if it cannot be rendered, why. */
async function noteOf(task: RunTask, job: Job, deps: StageDeps): Promise<string | undefined> {
  const { note } = approvalOf(task);
  if (note === undefined) return undefined;
  try {
    const values = runValues(task.run as Execution, job, await readTaskData(task, deps));
    return new Renderer(values).text(note).slice(0, MAX_NOTE_CHARACTERS);
  } catch (error) {
    if (error instanceof TemplateError) return error.message.slice(0, MAX_NOTE_CHARACTERS);
    throw error;
  }
}
