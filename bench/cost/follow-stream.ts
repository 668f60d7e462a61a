import { type StoreParts, storesOf } from '../../lambdas/core/platform/stores';
import type { Log } from '../../lambdas/core/telemetry/telemetry';
import { follow } from '../../lambdas/follower/follow';
import type { ExecutionStream } from '../../test/support/execution-stream';

/** As the event source of the follower has them. */
const FOLLOWER_BATCH = 1_000;
export const FOLLOW_EVERY_MS = 10_000;

/** One batch of the follower. Its invocation is not counted: at most one comes in ten seconds. */
export async function followStream(
  stream: ExecutionStream,
  { log, ...parts }: StoreParts & { log: Log },
): Promise<void> {
  const count = Math.min(FOLLOWER_BATCH, stream.length);
  if (count === 0) return;
  const { journal } = storesOf(parts);
  const { failedFrom } = await follow(stream.oldest(count), {
    journal,
    clock: parts.clock,
    log,
    retentionDays: 30,
  });
  stream.drop(count, failedFrom);
}
