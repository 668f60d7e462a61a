import { setTimeout as sleep } from 'node:timers/promises';

import type { InvokeOutcome } from '../invoke/environment';
import { type Clock, SECOND_MS } from '../machine/clock';
import type { LocalQueue } from '../services/sqs/local-queue';
import type { InFlight } from '../services/sqs/message';
import type { MappingSpec } from '../template/stack';
import { doneMessages } from './batch-outcome';
import { lambdaRamp, noRamp, Scaling } from './ramp';
import { sqsEvent } from './sqs-event';

/** SQS's maximum wait. */
const LONG_POLL_MS = 20 * SECOND_MS;
/** On shutdown, running batches get this long to finish. */
const GRACE_MS = 3 * SECOND_MS;

interface MappingDeps {
  queue: LocalQueue;
  region: string;
  clock: Clock;
  /** Start batches as Lambda does, in place of all at once. */
  ramp: boolean;
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
}

interface MappingsDeps extends Omit<MappingDeps, 'queue'> {
  queueOf(arn: string): LocalQueue;
  /** See `Invoker.warmUp`. */
  warmUp(functionArn: string): void;
}

/**
 * Starts all mappings, and warms up their functions: the visibility timeout of a message runs while it waits
 * for an environment. `stop` waits for running batches, but for three seconds at most.
 */
export function startMappings(
  mappings: readonly MappingSpec[],
  { queueOf, warmUp, ...deps }: MappingsDeps,
): { stop(): Promise<unknown> } {
  for (const { functionArn } of mappings) warmUp(functionArn);
  const started = mappings.map((mapping) =>
    startMapping(mapping, { ...deps, queue: queueOf(mapping.queueArn) }),
  );
  return {
    stop: () => Promise.race([Promise.all(started.map((mapping) => mapping.stop())), sleep(GRACE_MS)]),
  };
}

/**
 * Invokes a function with the messages of a queue. A single loop receives a batch as long as fewer batches
 * are running than the mapping may have now. Batches run in parallel, and a message waits only for free
 * concurrency.
 */
export function startMapping(mapping: MappingSpec, deps: MappingDeps): { stop(): Promise<void> } {
  const { queue } = deps;
  const scaling = new Scaling(deps.ramp ? lambdaRamp(mapping) : noRamp(mapping), deps.clock);
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();

  const processBatch = async (batch: InFlight[]): Promise<void> => {
    const event = JSON.stringify(sqsEvent(batch, mapping.queueArn, deps.region));
    const outcome = await deps.invoke(mapping.functionArn, event);
    const messageIds = batch.map(({ message }) => message.messageId);
    const done = new Set(doneMessages(messageIds, outcome, mapping.reportsItemFailures));
    for (const { message, receiptHandle } of batch)
      if (done.has(message.messageId)) queue.delete(receiptHandle);
  };

  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      if (running.size >= scaling.batches) {
        await scaling.whileFull(running);
        continue;
      }
      const batch = queue.receive(mapping.batchSize);
      if (batch.length === 0) {
        await queue.whenReady(LONG_POLL_MS, stopped.signal);
        continue;
      }
      if (running.size === 0) scaling.wakes();
      const one = processBatch(batch).finally(() => {
        running.delete(one);
        scaling.ended();
      });
      running.add(one);
    }
  };
  const looping = loop();

  return {
    /** Resolves when no batch is running any more. */
    async stop() {
      stopped.abort();
      await looping;
      await Promise.all(running);
    },
  };
}
