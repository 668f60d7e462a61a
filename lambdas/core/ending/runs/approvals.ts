import { DAY_MS } from '../../clock/clock';
import { runValues } from '../../delivery/job-templates/run-values';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { expiresAtSecAfter } from '../../domain/timing';
import type { Approval } from '../../domain/workflow/definition';
import type { Graph } from '../../domain/workflow/graph';
import { readySinceMs } from '../../domain/workflow/progress';
import { parseDuration } from '../../schedule/duration';
import { Renderer } from '../../templates/render';
import { TemplateError } from '../../templates/template-error';
import { readTaskData } from './read-task-data';
import { taskRefIn } from './unstarted-task';

interface ApprovalTask {
  run: Run;
  graph: Graph;
  index: number;
}

const approvalOf = ({ graph, index }: ApprovalTask): Approval => graph.tasks[index]!.task.approval!;

/** Until when an approval may be given. */
export const approvalEndMs = (task: ApprovalTask): number =>
  readySinceMs({ run: task.run.run, graph: task.graph }, task.index) +
  parseDuration(approvalOf(task).timeout);

/**
 * Lists an approval that has become ready. Repeating it does no harm.
 *
 * @param job undefined: it is deleted, and its run is about to stop
 */
export async function listApproval(task: ApprovalTask, job: Job | undefined, deps: StageDeps): Promise<void> {
  const ref = taskRefIn(task.run, task.graph, task.index);
  if (!job || (await deps.waiting.has(ref))) return;
  const untilMs = approvalEndMs(task);
  const note = await noteOf(task, job, deps);
  await deps.waiting.put({
    kind: 'approval',
    ...ref,
    sinceMs: readySinceMs({ run: task.run.run, graph: task.graph }, task.index),
    untilMs,
    ...(note !== undefined && { note }),
    expiresAtSec: expiresAtSecAfter(untilMs + DAY_MS, deps.retentionDays),
  });
}

const MAX_NOTE_CHARACTERS = 500;

/** The note of an approval as its user reads it; if it cannot be rendered, why. */
async function noteOf(task: ApprovalTask, job: Job, deps: StageDeps): Promise<string | undefined> {
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
