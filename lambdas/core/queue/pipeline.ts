import type { Clock } from '../clock/clock';
import { usualLaneOf } from '../contracts/messages';
import type { ActiveShardCount, InMaintenance } from '../deps';
import type { ExecutionQueue } from './execution-queue';
import { dropWhileInMaintenance } from './maintenance';
import { phaseAligned } from './phase-aligned';
import { limitPerUser, type LimitScope } from './user-rate-limit';

interface SendingSettings {
  limitScope: LimitScope;
  isPhaseAligned: boolean;
}

/**
 * How each stage sends executions. The scanner, the sweeper and the auditor work on a shard alone, so they
 * count per shard. The scanner alone sends whole pages ahead of time, so one wait for phases serves all
 * messages of a page.
 */
export const SENDING = {
  api: { limitScope: 'per-process', isPhaseAligned: false },
  scanner: { limitScope: 'per-shard', isPhaseAligned: true },
  executor: { limitScope: 'per-process', isPhaseAligned: false },
  worker: { limitScope: 'per-process', isPhaseAligned: false },
  sweeper: { limitScope: 'per-shard', isPhaseAligned: false },
  auditor: { limitScope: 'per-shard', isPhaseAligned: false },
  watcher: { limitScope: 'per-process', isPhaseAligned: false },
  ping: { limitScope: 'per-process', isPhaseAligned: false },
} as const satisfies Record<string, SendingSettings>;

/** A stage that sends executions. */
export type SendingStage = keyof typeof SENDING;

interface PipelineDeps {
  clock: Clock;
  shardCount: ActiveShardCount;
  inMaintenance: InMaintenance;
  /** How long before its time a phase-aligned message is to become visible. Default: 0.3 s. */
  leadMs?: number;
}

/**
 * The execution queues as a stage sends to them. A message passes these decorators, in this order:
 *
 * 1. `dropWhileInMaintenance`: first, so that a dropped message counts against no limit and waits for no
 *   phase.
 * 2. `limitPerUser`: before the messages are reordered, so a repeated call admits the same messages (ADR 12).
 * 3. `phaseAligned`, for the scanner: so that each message leaves at its phase.
 * 4. `askSender`: last, so that a message which its sender keeps has passed all of these (ADR 25).
 *
 * @param userLimitsPerSec see `limitPerUser`
 */
export function queuePipeline(
  queue: ExecutionQueue,
  stage: SendingStage,
  userLimitsPerSec: Readonly<Record<string, number>>,
  { clock, shardCount, inMaintenance, leadMs }: PipelineDeps,
): ExecutionQueue {
  const { limitScope, isPhaseAligned } = SENDING[stage];
  const asking = askSender(queue);
  const aligned = isPhaseAligned ? phaseAligned(asking, clock, leadMs) : asking;
  const limited = limitPerUser(aligned, userLimitsPerSec, { limitScope, clock, shardCount });
  return dropWhileInMaintenance(limited, inMaintenance);
}

/**
 * Queues whose sender may keep a message, and execute it itself. It is asked last: maintenance mode and the
 * limit per user count such a message as any other, and its lane is decided.
 */
export const askSender = (queue: ExecutionQueue): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),
  async send(messages) {
    const left = messages.filter(({ message, lane, keep }) => !keep?.(lane ?? usualLaneOf(message)));
    if (left.length > 0) await queue.send(left);
  },
});
