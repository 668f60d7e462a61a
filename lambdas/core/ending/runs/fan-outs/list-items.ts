import { runValues } from '../../../delivery/job-templates/run-values';
import type { StageDeps } from '../../../deps';
import type { Execution } from '../../../domain/execution';
import type { Job } from '../../../domain/job';
import { faultOfItemCount } from '../../../domain/workflow/check-data';
import { MAX_ITEMS_BYTES, type ForEach } from '../../../domain/workflow/definition';
import { segmentsIn } from '../../../domain/workflow/fan-out';
import { roundOf } from '../../../domain/workflow/marks';
import { bytesOfJson } from '../../../domain/workflow/params';
import type { TaskData } from '../../../domain/workflow/task-data';
import { taskExecId } from '../../../domain/workflow/task-id';
import { Renderer } from '../../../templates/render';
import type { Json } from '../../../templates/syntax';
import { shown, TemplateError } from '../../../templates/template-error';
import { readTaskData } from '../read-task-data';
import { type FanOutTask, forEachOf } from './fan-out-task';
import { readSegments } from './read-segments';

/** The items of a fan-out, or why there are none. */
export type ListedItems = { items: readonly Json[] } | { fault: string };

/** Makes the list of a fan-out. Every process that makes it makes the same one. */
export async function listItems(task: FanOutTask, job: Job, deps: StageDeps): Promise<ListedItems> {
  if (forEachOf(task).dates) return listDates(task, deps);
  return itemsMadeBy(forEachOf(task), task.run as Execution, job, await readTaskData(task, deps));
}

/**
 * The dates of a backfill: they were stored when it was asked for, or are those of an earlier round. One that
 * was stopped before it was laid out has none.
 */
async function listDates(task: FanOutTask, deps: Pick<StageDeps, 'fanOuts'>): Promise<ListedItems> {
  const { run, graph, index } = task;
  for (let round = roundOf(run.run, index); round > 0; round--) {
    const execId = taskExecId({ run: run.execId, task: graph.tasks[index]!.id, round });
    const fanOut = { jobKey: run.jobKey, execId };
    const first = await deps.fanOuts.getItems(fanOut, 0);
    if (!first) continue;
    const others = Array.from({ length: Math.max(0, segmentsIn(first.count) - 1) }, (_, at) => at + 1);
    const listed = await readSegments(fanOut, others, deps);
    const items = [first, ...others.map((segment) => listed.get(segment))].flatMap((one) => one?.items ?? []);
    return items.length === first.count ? { items } : { fault: 'forEach.items: some dates are gone' };
  }
  return { fault: 'forEach.items: the dates are gone' };
}

/** The items of a fan-out that `forEach` makes of given data. */
export function itemsMadeBy(forEach: ForEach, run: Execution, job: Job, data: TaskData): ListedItems {
  try {
    const items = new Renderer(runValues(run, job, data)).json(forEach.items as Json);
    const fault = faultOfList(items, forEach);
    return fault === undefined ? { items: items as Json[] } : { fault: `forEach.items: ${fault}` };
  } catch (error) {
    if (error instanceof TemplateError) return { fault: `forEach.items: ${error.message}` };
    throw error;
  }
}

function faultOfList(items: Json, { concurrency }: ForEach): string | undefined {
  if (!Array.isArray(items)) return `must be a list, not ${shown(items)}`;
  const bytes = bytesOfJson(items);
  if (bytes > MAX_ITEMS_BYTES) return `has ${bytes} bytes as JSON; at most ${MAX_ITEMS_BYTES} are allowed`;
  return faultOfItemCount(items.length, concurrency);
}
