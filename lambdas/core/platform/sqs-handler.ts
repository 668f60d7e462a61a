import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';

import { type InvocationLimits, limitsOf, type Telemetry, telemetry } from './invocation';

/** A message of a batch, under the id by which it is given back. */
export interface Delivered<Message> {
  id: string;
  message: Message;
}

export type BatchHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/**
 * A handler for a queue whose event source reports failures one by one. Each body is parsed by `schema`; one that does
 * not parse is given back alone, and ends in the dead-letter queue: its neighbours are processed. Where `work` throws,
 * all that it was given comes back. All of a batch is of one queue. It always answers with a list: no answer at all would acknowledge everything.
 */
export function sqsBatchHandler<Schema extends z.ZodMiniType>(
  schema: Schema,
  observability: Telemetry,
  work: (
    batch: readonly Delivered<z.output<Schema>>[],
    limits: InvocationLimits,
    queueArn: string,
  ) => Promise<{ failedIds: readonly string[] }>,
): BatchHandler {
  const { log } = observability;
  async function handleBatch(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
    const { batch, unreadIds } = parseRecords(event.Records);
    const queueArn = event.Records[0]?.eventSourceARN ?? '';
    const failedIds = batch.length === 0 ? [] : await failuresOf(batch, queueArn, context);
    return { batchItemFailures: [...unreadIds, ...failedIds].map((id) => ({ itemIdentifier: id })) };
  }

  async function failuresOf(
    batch: Delivered<z.output<Schema>>[],
    queueArn: string,
    context: Context,
  ): Promise<readonly string[]> {
    const ids = batch.map(({ id }) => id);
    try {
      const { failedIds } = await work(batch, limitsOf(context), queueArn);
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
    unreadIds: string[];
  } {
    const batch: Delivered<z.output<Schema>>[] = [];
    const unreadIds: string[] = [];
    for (const { messageId, body, attributes } of records) {
      try {
        batch.push({ id: messageId, message: schema.parse(JSON.parse(body)) });
      } catch (error) {
        const receiveCount = attributes.ApproximateReceiveCount;
        log.error('unreadable message returned to its queue', error, { messageId, receiveCount });
        unreadIds.push(messageId);
      }
    }
    return { batch, unreadIds };
  }

  return middy<SQSEvent, SQSBatchResponse, Error, Context>(handleBatch, { timeoutEarlyInMillis: 0 }).use(
    telemetry(observability),
  );
}

/** The same, for messages that are worked on one after another: only those whose `work` throws are given back. */
export function sqsHandler<Schema extends z.ZodMiniType>(
  schema: Schema,
  observability: Telemetry,
  work: (message: z.output<Schema>, limits: InvocationLimits) => Promise<unknown>,
): BatchHandler {
  return sqsBatchHandler(schema, observability, async (batch, limits) => {
    const failedIds: string[] = [];
    for (const { id, message } of batch) {
      try {
        await work(message, limits);
      } catch (error) {
        observability.log.error('message returned to its queue', error, { messageId: id });
        failedIds.push(id);
      }
    }
    return { failedIds };
  });
}
