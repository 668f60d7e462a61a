import type { Clock } from '../clock/clock';
import type { ExecutionQueue } from './execution-queue';
import { inStep } from './phase-aligned';
import { fairShare, type Sender } from './user-rate-limit';
import type { IsStopped, ShardsInForce } from '../deps';
import { heldBack } from './maintenance';

export interface StageQueueDeps {
  sender: Sender;
  /** Of the scanner, who sends whole pages ahead of time: the wait for the phase of each message is one wait for all. */
  isInStep: boolean;
  clock: Clock;
  shards: ShardsInForce;
  stopped: IsStopped;
}

/**
 * The execution queues as a stage is given them: silent while the deployment is stopped, with a share for each user, and
 * in step where they are the scanner's (docs/adr/0012). Shares are taken in the order of the call, before the steps change
 * it: who repeats a call lets the same ones through.
 *
 * @param sharesPerSec see `fairShare`
 */
export const stageQueue = (
  queue: ExecutionQueue,
  sharesPerSec: Readonly<Record<string, number>>,
  { sender, isInStep, clock, shards, stopped }: StageQueueDeps,
): ExecutionQueue => {
  const sending = isInStep ? inStep(queue, clock) : queue;
  return heldBack(fairShare(sending, sharesPerSec, { sender, clock, shards }), stopped);
};
