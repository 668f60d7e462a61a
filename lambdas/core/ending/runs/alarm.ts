import type { StageDeps } from '../../deps';
import type { Run } from '../../domain/execution';
import { isAlarmed } from '../../domain/workflow/definition';
import { alarmAtMs } from '../../domain/workflow/run-rechecks';
import type { RunTask } from '../../domain/workflow/run-task';
import { beginOfTask } from '../../domain/workflow/task-times';
import { delaySecFor, mayBeScanned } from '../../domain/timing';
import { alarmMessage, attemptEntry } from '../../queue/attempt-entries';

/**
 * Whether the time of a ready task has not come, which starts a child or items. Then its run has an alarm.
 * Repeating it does no harm: all who ask file the same entry.
 *
 * @param notBeforeMs of its `notBefore`; 0 if it has none
 */
export async function waitsForTime(task: RunTask, notBeforeMs: number, deps: StageDeps): Promise<boolean> {
  const { run, graph, index } = task;
  if (!isAlarmed(graph.tasks[index]!.task)) return false;
  const atMs = beginOfTask({ run: run.run, graph }, index, notBeforeMs);
  if (atMs <= deps.clock.nowMs()) return false;
  await fileAlarm(run, alarmAtMs(atMs), deps);
  return true;
}

/**
 * Files an entry of the run at which the scanner sends a message to it, or sends that itself. The sweeper
 * rechecks the run by the same entry, 20 s later. So a message that is lost is repaired.
 */
async function fileAlarm(run: Run, atMs: number, deps: StageDeps): Promise<void> {
  const { schedule, queue, clock, horizonMs } = deps;
  const entry = await attemptEntry({ ...run, startAtMs: atMs }, deps);
  if (await schedule.hasEntry(entry)) return;
  await schedule.putEntries([entry]);
  const nowMs = clock.nowMs();
  if (!mayBeScanned(atMs, nowMs, horizonMs)) return;
  await queue.send([{ message: alarmMessage(run, atMs), delaySec: delaySecFor(atMs, nowMs) }]);
}
