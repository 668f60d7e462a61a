import type { ExecutionMessage } from '../contracts/messages';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import { CLOCK_SKEW_MS, delaySecFor } from '../domain/timing';

type WakeDeps = Pick<StageDeps, 'queue' | 'clock'>;

/**
 * Sends the message of an execution that waits at a gate. A running one needs none, and one that waits for a
 * later time has a message under way. But an executor with a fast clock may have had that message already, if
 * the time is within the clock skew.
 *
 * @param message asks for its first attempt
 * @param notBeforeMs what it waits for comes then
 */
export async function wakeIfDue(
  message: ExecutionMessage,
  state: Execution | 'unclaimed',
  deps: WakeDeps,
  notBeforeMs = 0,
): Promise<void> {
  const isWaiting = state === 'unclaimed' || state.status === 'queued' || state.status === 'retrying';
  const startAtMs = state === 'unclaimed' ? message.startAtMs : (state.startAtMs ?? message.startAtMs);
  if (!isWaiting || startAtMs > deps.clock.nowMs() + CLOCK_SKEW_MS) return;
  const { attempt, takeovers, userRetries, timesMoved } = state === 'unclaimed' ? message : state;
  await resendWaiting(
    {
      ...message,
      startAtMs: Math.max(startAtMs, notBeforeMs),
      attempt,
      userRetries,
      takeovers: takeovers || undefined,
      timesMoved,
    },
    deps,
  );
}

/** Sends it so that it starts now, or at its time. If its pool is gone, its own recheck reports that. */
export async function resendWaiting(message: ExecutionMessage, { queue, clock }: WakeDeps): Promise<void> {
  if (!queue.has(message.pool, message.priority)) return;
  const nowMs = clock.nowMs();
  const startAtMs = Math.max(message.startAtMs, nowMs);
  await queue.send([{ message: { ...message, startAtMs }, delaySec: delaySecFor(startAtMs, nowMs) }]);
}
