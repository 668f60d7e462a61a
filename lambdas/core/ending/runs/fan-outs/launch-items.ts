import type { StageDeps } from '../../../deps';
import { taskMessage } from '../task-messages';
import type { FanOutTask } from './fan-out-task';

/**
 * Begins items of a fan-out: sends their first messages. A second message is harmless, because its claim is
 * refused. What fails is left to the run's recheck.
 */
export async function launchItems(
  { run, graph, index }: FanOutTask,
  items: readonly number[],
  { queue, clock, log }: Pick<StageDeps, 'queue' | 'clock' | 'log'>,
): Promise<void> {
  if (items.length === 0) return;
  const nowMs = clock.nowMs();
  try {
    await queue.send(
      items.map((item) => ({ message: taskMessage(run, graph, { index, item }, nowMs), delaySec: 0 })),
    );
  } catch (error) {
    const { jobKey, execId } = run;
    log.error('the items of a fan-out are left to the recheck of their run', error, { jobKey, execId });
  }
}
