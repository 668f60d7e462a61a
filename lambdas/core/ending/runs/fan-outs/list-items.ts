import { runValues } from '../../../delivery/job-templates/run-values';
import type { StageDeps } from '../../../deps';
import type { Execution } from '../../../domain/execution';
import type { Job } from '../../../domain/job';
import { faultOfItemCount } from '../../../domain/workflow/check-data';
import { MAX_ITEMS_BYTES, type ForEach } from '../../../domain/workflow/definition';
import { bytesOfJson } from '../../../domain/workflow/params';
import type { TaskData } from '../../../domain/workflow/task-data';
import { Renderer } from '../../../templates/render';
import type { Json } from '../../../templates/syntax';
import { shown, TemplateError } from '../../../templates/template-error';
import { readTaskData } from '../read-task-data';
import { type FanOutTask, forEachOf } from './fan-out-task';

/** The items of a fan-out, or why there are none. */
export type ListedItems = { items: readonly Json[] } | { fault: string };

/** Makes the list of a fan-out. Every process that makes it makes the same one. */
export async function listItems(task: FanOutTask, job: Job, deps: StageDeps): Promise<ListedItems> {
  return itemsMadeBy(forEachOf(task), task.run as Execution, job, await readTaskData(task, deps));
}

/** The same by given data. */
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
