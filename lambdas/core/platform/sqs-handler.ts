import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';

import type { TimeBudget } from '../async/time-budget';
import { type Telemetry, telemetry, timeBudgetOf } from './invocation';

/** A message of a batch. `id` names it among the failures that go back to the queue. */
export interface Delivered<Message> {
  id: string;
  message: Message;
}

export type BatchHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/**
 * A handler for a queue whose event source reports failures per message. A message that does not parse
 * returns to its queue alone and ends in the dead-letter queue; the other messages are processed. If `work`
 * throws, all of them return to the queue. All messages of a batch are from one queue. The handler always
 * returns a list: no result would acknowledge every message.
 */
export function sqsBatchHandler<Schema extends z.ZodMiniType>(
  schema: Schema,
  observability: Telemetry,
  work: (
    batch: readonly Delivered<z.output<Schema>>[],
    budget: TimeBudget,
    queueArn: string,
  ) => Promise<{ failedIds: readonly string[] }>,
): BatchHandler {
  const { log } = observability;
  async function handleBatch(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
    const { batch, unreadableIds } = parseRecords(event.Records);
    const queueArn = event.Records[0]?.eventSourceARN ?? '';
    const failedIds = batch.length === 0 ? [] : await failuresOf(batch, queueArn, context);
    return { batchItemFailures: [...unreadableIds, ...failedIds].map((id) => ({ itemIdentifier: id })) };
  }

  async function failuresOf(
    batch: Delivered<z.output<Schema>>[],
    queueArn: string,
    context: Context,
  ): Promise<readonly string[]> {
    const ids = batch.map(({ id }) => id);
    try {
      const { failedIds } = await work(batch, timeBudgetOf(context), queueArn);
      const unknown = failedIds.filter((id) => !ids.includes(id));
      if (unknown.length > 0) throw new Error(`no message of the batch has the id ${unknown.join(', ')}`);
      return failedIds;
    } catch (error) {
      log.error('batch returned to its queue', error, { messages: ids.length });
      return ids;
    }
  }

  function parseRecords(records: readonly SQSRecord[]): {
    batch: Delivered<z.output<Schema>>[];
    unreadableIds: string[];
  } {
    const batch: Delivered<z.output<Schema>>[] = [];
    const unreadableIds: string[] = [];
    for (const { messageId, body, attributes } of records) {
      try {
        batch.push({ id: messageId, message: schema.parse(JSON.parse(body)) });
      } catch (error) {
        const receiveCount = attributes.ApproximateReceiveCount;
        log.error('unreadable message returned to its queue', error, { messageId, receiveCount });
        unreadableIds.push(messageId);
      }
    }
    return { batch, unreadableIds };
  }

  return middy<SQSEvent, SQSBatchResponse, Error, Context>(handleBatch, { timeoutEarlyInMillis: 0 }).use(
    telemetry(observability),
  );
}

/** Handles one message after another. Only messages whose `work` throws return to the queue. */
export function sqsHandler<Schema extends z.ZodMiniType>(
  schema: Schema,
  observability: Telemetry,
  work: (message: z.output<Schema>, budget: TimeBudget) => Promise<unknown>,
): BatchHandler {
  return sqsBatchHandler(schema, observability, async (batch, budget) => {
    const failedIds: string[] = [];
    for (const { id, message } of batch) {
      try {
        await work(message, budget);
      } catch (error) {
        observability.log.error('message returned to its queue', error, { messageId: id });
        failedIds.push(id);
      }
    }
    return { failedIds };
  });
}
