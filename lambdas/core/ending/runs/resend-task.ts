import { SECOND_MS } from '../../clock/clock';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { messageOfRun } from '../../queue/attempt-entries';

/** The message of an attempt that is due was sent by then, unless its run was held. */
const SENT_WITHIN_MS = 15 * SECOND_MS;

/** Whether a row waits for an attempt whose time has come, and whose message may never have been sent. */
export const isUnsent = ({ startAtMs = 0 }: Execution, nowMs: number, withinMs = SENT_WITHIN_MS): boolean =>
  startAtMs + withinMs <= nowMs;

/** Sends the attempt of a task that waits. A second message is harmless: its claim is refused. */
export async function resendTask(row: Execution, run: Run, deps: StageDeps): Promise<void> {
  const message = messageOfRun(row, { attempt: row.attempt, startAtMs: deps.clock.nowMs() }, run);
  await deps.queue.send([{ message, delaySec: 0 }]);
}
