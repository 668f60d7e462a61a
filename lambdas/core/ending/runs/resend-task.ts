import { SECOND_MS } from '../../clock/clock';
import { type ExecutionMessage, isForWorkers } from '../../contracts/messages';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { messageOfRun } from '../../queue/attempt-entries';

/** The message of an attempt that is due was sent by then, unless its run was held. */
const SENT_WITHIN_MS = 15 * SECOND_MS;

/** Whether a row waits for an attempt whose time has come, and whose message may never have been sent. */
export const isUnsent = ({ startAtMs = 0 }: Execution, nowMs: number, withinMs = SENT_WITHIN_MS): boolean =>
  startAtMs + withinMs <= nowMs;

/** Sends the attempt of a task that waits. A second message is harmless: its claim is refused. */
export const resendTask = (row: Execution, run: Run, deps: StageDeps): Promise<void> =>
  send(messageNow(row, run, deps), deps);

/** Sends a task of a run that was held. Work is offered anew: the time of the pause does not count. */
export async function resumeTask(row: Execution, run: Run, deps: StageDeps): Promise<void> {
  const message = messageNow(row, run, deps);
  const ticket = isForWorkers(message) ? await deps.work.get(message) : undefined;
  if (ticket) await deps.work.remove(ticket);
  await send(message, deps);
}

const messageNow = (row: Execution, run: Run, { clock }: StageDeps): ExecutionMessage =>
  messageOfRun(row, { attempt: row.attempt, startAtMs: clock.nowMs() }, run);

const send = (message: ExecutionMessage, { queue }: StageDeps): Promise<void> =>
  queue.send([{ message, delaySec: 0 }]);
