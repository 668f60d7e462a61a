import { type StoreParts, storesOf } from '../../lambdas/core/platform/stores';
import type { Log, Meter } from '../../lambdas/core/telemetry/telemetry';
import { follow } from '../../lambdas/follower/follow';
import type { ExecutionStream } from '../../test/support/execution-stream';
import { apiSurroundings } from '../../test/support/surroundings';

/** As the event source of the follower has them. */
const FOLLOWER_BATCH = 1_000;
export const FOLLOW_EVERY_MS = 10_000;

/** All is recorded. Messages to the exporter are not counted here. */
const NO_QUEUE = {
  queue: { send: async () => undefined },
  secret: apiSurroundings.secret,
  sampling: { ratio: 1, maxPerMinute: 60 },
};

/** One batch of the follower. Its invocation is not counted: at most one comes in ten seconds. */
export async function followStream(
  stream: ExecutionStream,
  what: 'journal' | 'spans',
  parts: StoreParts,
  { log, meter }: { log: Log; meter: Meter },
): Promise<void> {
  const count = Math.min(FOLLOWER_BATCH, stream.length);
  if (count === 0) return;
  const { journal, runLabels: labels, executions, jobs, flows } = storesOf(parts);
  const spans = { ...NO_QUEUE, executions, jobs, flows };
  const { failedFrom } = await follow(stream.oldest(count), {
    ...(what === 'journal' ? { journal, labels } : { spans }),
    clock: parts.clock,
    log,
    meter,
    retentionDays: 30,
  });
  stream.drop(count, failedFrom);
}
