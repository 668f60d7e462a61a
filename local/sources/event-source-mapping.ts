import { setTimeout as sleep } from 'node:timers/promises';

import type { InvokeOutcome } from '../invoke/environment';
import { type Clock, SECOND_MS } from '../machine/clock';
import type { LocalQueue } from '../services/sqs/local-queue';
import type { InFlight, MessageAttribute } from '../services/sqs/message';
import { doneMessages } from './batch-outcome';
import type { LocalMapping } from './local-concurrency';
import { lambdaRamp, noRamp, Scaling } from './ramp';

/** SQS's maximum wait. */
const LONG_POLL_MS = 20 * SECOND_MS;
/** On shutdown, running batches get this long to finish. */
const GRACE_MS = 3 * SECOND_MS;
/** How often a mapping with all its batches at work asks whether the processors have room for more. */
const ASK_AGAIN_MS = 100;

interface MappingDeps {
  queue: LocalQueue;
  region: string;
  clock: Clock;
  /** Start batches as Lambda does, in place of all at once. */
  ramp: boolean;
  /** Whether the processors have room for one more environment. */
  hasRoom(): boolean;
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
}

interface MappingsDeps extends Omit<MappingDeps, 'queue'> {
  queueOf(arn: string): LocalQueue;
  /** See `Invoker.warmUp`. */
  warmUp(functionArn: string): void;
}

/**
 * Starts all mappings. The first message of a queue warms up its function, so that one that is due later
 * waits for no environment. Functions without messages take no time and no memory. `stop` waits for running
 * batches, but for three seconds at most.
 */
export function startMappings(
  mappings: readonly LocalMapping[],
  { queueOf, warmUp, ...deps }: MappingsDeps,
): { stop(): Promise<unknown> } {
  const started = mappings.map((mapping) => {
    const queue = queueOf(mapping.queueArn);
    void queue.used.then(() => warmUp(mapping.functionArn));
    return startMapping(mapping, { ...deps, queue });
  });
  return {
    stop: () => Promise.race([Promise.all(started.map((mapping) => mapping.stop())), sleep(GRACE_MS)]),
  };
}

/**
 * Invokes a function with the messages of a queue. A single loop receives a batch as long as fewer run than
 * the mapping may have now. While the processors have room, it may have more. Batches run in parallel, and a
 * message waits only for free concurrency.
 */
export function startMapping(mapping: LocalMapping, deps: MappingDeps): { stop(): Promise<void> } {
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

  // Under Lambda's ramp, a source has what Lambda gives it.
  const mayHaveMore = () => !deps.ramp && running.size < mapping.mostWithRoom;

  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      if (running.size >= scaling.batches && !(mayHaveMore() && deps.hasRoom())) {
        await scaling.whileFull(mayHaveMore() ? ASK_AGAIN_MS : undefined);
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

/** The event for a batch of SQS messages. */
function sqsEvent(batch: InFlight[], queueArn: string, region: string): object {
  return { Records: batch.map((entry) => sqsRecord(entry, queueArn, region)) };
}

function sqsRecord({ message, receiptHandle }: InFlight, queueArn: string, region: string): object {
  return {
    messageId: message.messageId,
    receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.approximateReceiveCount),
      SentTimestamp: String(message.sentTimestamp),
      SenderId: 'AIDALOCAL',
      ApproximateFirstReceiveTimestamp: String(message.approximateFirstReceiveTimestamp),
      ...(message.deadLetterQueueSourceArn && { DeadLetterQueueSourceArn: message.deadLetterQueueSourceArn }),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.messageAttributes).map(([name, attribute]) => [
        name,
        recordAttribute(attribute),
      ]),
    ),
    ...(message.md5OfMessageAttributes && { md5OfMessageAttributes: message.md5OfMessageAttributes }),
    md5OfBody: message.md5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

const recordAttribute = ({ DataType, StringValue, BinaryValue }: MessageAttribute): object => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});
