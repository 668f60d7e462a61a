import type { Clock } from '../clock/clock';
import type { ExecutionQueue } from './execution-queue';
import { phaseAligned } from './phase-aligned';
import { limitPerUser, type LimitScope } from './user-rate-limit';
import type { InMaintenance, ActiveShardCount } from '../deps';
import { dropWhileInMaintenance } from './maintenance';

export interface PipelineDeps {
  limitScope: LimitScope;
  /** Of the scanner, who sends whole pages ahead of time: the wait for the phase of each message is one wait for all. */
  isPhaseAligned: boolean;
  clock: Clock;
  shards: ActiveShardCount;
  stopped: InMaintenance;
}

/**
 * The execution queues as a stage is given them: silent while the deployment is stopped, with a share for each user, and
 * in step where they are the scanner's (docs/adr/0012). Shares are taken in the order of the call, before the steps change
 * it: who repeats a call lets the same ones through.
 *
 * @param limitsPerSec see `limitPerUser`
 */
export const queuePipeline = (
  queue: ExecutionQueue,
  limitsPerSec: Readonly<Record<string, number>>,
  { limitScope, isPhaseAligned, clock, shards, stopped }: PipelineDeps,
): ExecutionQueue => {
  const sending = isPhaseAligned ? phaseAligned(queue, clock) : queue;
  return dropWhileInMaintenance(limitPerUser(sending, limitsPerSec, { limitScope, clock, shards }), stopped);
};
