import { inParallel } from '../../../async/in-parallel';
import type { StageDeps } from '../../../deps';
import { childRefOf, type ChildTask } from '../../../domain/workflow/children';
import type { ItemEnd } from '../../../domain/workflow/fan-out';
import { begunChild, countRuns } from '../begin-child';
import { taskMessage } from '../task-messages';
import type { FanOutTask } from './fan-out-task';
import { itemChildren, startsChildren } from './item-refs';

/** Children that are started at the same time. */
const CONCURRENCY = 10;

/**
 * Begins items of a fan-out: sends their first messages, or starts their children. Repeating it does no harm:
 * a claim is refused, and a child is there. What fails is left to the run's recheck.
 *
 * @returns the items whose children have ended by then: they are to be marked
 */
export async function launchItems(
  task: FanOutTask,
  items: readonly number[],
  deps: StageDeps,
): Promise<ItemEnd[]> {
  if (items.length === 0) return [];
  try {
    if (startsChildren(task)) return await startChildren(task, items, deps);
    await sendItems(task, items, deps);
  } catch (error) {
    const { jobKey, execId } = task.run;
    deps.log.error('the items of a fan-out are left to the recheck of their run', error, { jobKey, execId });
  }
  return [];
}

async function sendItems(
  { run, graph, index }: FanOutTask,
  items: readonly number[],
  { queue, clock }: Pick<StageDeps, 'queue' | 'clock'>,
): Promise<void> {
  const nowMs = clock.nowMs();
  await queue.send(
    items.map((item) => ({ message: taskMessage(run, graph, { index, item }, nowMs), delaySec: 0 })),
  );
}

async function startChildren(
  task: FanOutTask,
  items: readonly number[],
  deps: StageDeps,
): Promise<ItemEnd[]> {
  const children = await itemChildren(task, items, deps);
  const ended: ItemEnd[] = [];
  let started = 0;
  await inParallel(children, CONCURRENCY, async ([item, child]) => {
    const begun = await startOne(child, deps);
    started += begun?.started ?? 0;
    if (begun?.ended) ended.push({ item, status: begun.ended });
  });
  if (started > 0) await countRuns(task.run, started, deps);
  return ended;
}

/** Undefined: it is left to the run's recheck, which also finds that the job of the run is deleted. */
async function startOne(child: ChildTask, deps: StageDeps) {
  try {
    const begun = await begunChild(child, deps);
    return begun === 'job-gone' ? undefined : begun;
  } catch (error) {
    const { jobKey, execId } = childRefOf(child);
    deps.log.error('a child is left to the recheck of its run', error, { jobKey, execId });
    return undefined;
  }
}
