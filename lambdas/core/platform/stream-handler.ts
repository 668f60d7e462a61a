import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { Metric } from '../contracts/metrics';
import { changeIn, type StreamRecord } from '../store/dynamo/executions/change-in-record';
import type { ExecutionChange } from '../store/execution-stream';
import { type Telemetry, telemetry } from './invocation';

interface StreamEvent {
  Records: readonly (StreamRecord & { eventSourceARN?: string })[];
}

interface StreamResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

/** What became of a batch. `failedFrom`: the sequence number from which on it has to come again. */
export interface Followed {
  failedFrom?: string | undefined;
}

/**
 * A handler for the stream of Executions, whose event source reports failures. From a failed record on, the
 * batch comes again; if `work` throws, all of it does. A record that does not parse would come again for a
 * day and hold up all others: it is counted, logged and passed over.
 */
export function streamHandler(
  observability: Telemetry,
  work: (changes: readonly ExecutionChange[], stream: string) => Promise<Followed>,
): (event: StreamEvent, context: Context) => Promise<StreamResponse> {
  const { log, meter } = observability;
  async function handleBatch({ Records }: StreamEvent): Promise<StreamResponse> {
    const changes = Records.flatMap((record) => {
      try {
        return changeIn(record) ?? [];
      } catch (error) {
        meter.count(Metric.endsUnread);
        log.error('unreadable change passed over', error, { eventId: record.eventID });
        return [];
      }
    });
    const { failedFrom } = await work(changes, Records[0]?.eventSourceARN ?? '');
    return { batchItemFailures: failedFrom === undefined ? [] : [{ itemIdentifier: failedFrom }] };
  }
  return middy<StreamEvent, StreamResponse, Error, Context>(handleBatch, { timeoutEarlyInMillis: 0 }).use(
    telemetry(observability),
  );
}
