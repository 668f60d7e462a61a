import type { InvokeOutcome } from '../invoke/environment';
import type { InFlight } from '../services/sqs/message';
import type { LocalQueue } from '../services/sqs/local-queue';
import type { MappingSpec } from '../template/stack';
import { doneMessages } from './batch-outcome';
import { sqsEvent } from './sqs-event';

/** SQS's longest wait. */
const LONG_POLL_MS = 20_000;

export interface MappingDeps {
  queue: LocalQueue;
  region: string;
  /** Takes JSON text. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
}

/**
 * Feeds a function from a queue: one loop that takes a batch whenever fewer than the mapping's concurrency are at work,
 * so that several run at once, and a message waits for nothing but a free place.
 */
export function startMapping(mapping: MappingSpec, deps: MappingDeps): { stop(): Promise<void> } {
  const { queue } = deps;
  const stopped = new AbortController();
  const atWork = new Set<Promise<void>>();

  const work = async (batch: InFlight[]): Promise<void> => {
    const event = JSON.stringify(sqsEvent(batch, mapping.queueArn, deps.region));
    const outcome = await deps.invoke(mapping.functionArn, event);
    const done = new Set(
      doneMessages(
        batch.map(({ message }) => message.messageId),
        outcome,
        mapping.reportsItemFailures,
      ),
    );
    for (const { message, receiptHandle } of batch)
      if (done.has(message.messageId)) queue.delete(receiptHandle);
  };

  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      if (atWork.size >= mapping.maxConcurrency) {
        await Promise.race(atWork);
        continue;
      }
      const batch = queue.receive(mapping.batchSize);
      if (batch.length === 0) {
        await queue.whenReady(LONG_POLL_MS, stopped.signal);
        continue;
      }
      const one = work(batch).finally(() => atWork.delete(one));
      atWork.add(one);
    }
  };
  const looping = loop();

  return {
    /** Resolves when nothing is at work any more. */
    async stop() {
      stopped.abort();
      await looping;
      await Promise.all(atWork);
    },
  };
}
