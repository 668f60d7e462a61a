import type { Context, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';

import type { TimeBudget } from '../../../../lambdas/core/async/time-budget';
import { type Delivered, sqsBatchHandler, sqsHandler } from '../../../../lambdas/core/platform/sqs-handler';
import { RecordingLog } from '../../../support/recording-log';
import { RecordingMeter } from '../../../support/recording-meter';

const Order = z.strictObject({ n: z.int() });
type Order = z.infer<typeof Order>;

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 4_200 } as Context;

const QUEUE_ARN = 'arn:aws:sqs:eu-central-1:000000000000:queue';

const eventOf = (bodies: Record<string, string>): SQSEvent => ({
  Records: Object.entries(bodies).map(([messageId, body]) => ({
    messageId,
    body,
    receiptHandle: 'handle',
    attributes: {
      ApproximateReceiveCount: '2',
      SentTimestamp: '0',
      SenderId: 'limitScope',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: QUEUE_ARN,
    awsRegion: 'eu-central-1',
  })),
});

class InvocationRecorder extends RecordingLog {
  readonly begun: string[] = [];
  begin(begun: Context): void {
    this.begun.push(begun.awsRequestId);
  }
}

class FlushRecorder extends RecordingMeter {
  flushes = 0;
  failing = false;
  flush(): void {
    this.flushes += 1;
    if (this.failing) throw new Error('stdout is gone');
  }
}

describe('sqs handlers', () => {
  let log: InvocationRecorder;
  let meter: FlushRecorder;
  const failures = (...ids: string[]) => ({
    batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
  });

  beforeEach(() => {
    log = new InvocationRecorder();
    meter = new FlushRecorder();
  });

  it('gives a batch its messages, time budget and queue, and acknowledges what is not reported', async () => {
    const seen: { batch: readonly Delivered<Order>[]; remainingMs: number; queueArn: string }[] = [];
    const work = async (batch: readonly Delivered<Order>[], budget: TimeBudget, queueArn: string) => {
      seen.push({ batch, remainingMs: budget.remainingMs(), queueArn });
      return { failedIds: ['b'] };
    };
    const handler = sqsBatchHandler(Order, { log, meter }, work);
    expect(await handler(eventOf({ a: '{"n":1}', b: '{"n":2}' }), context)).toEqual(failures('b'));
    expect(seen).toEqual([
      {
        batch: [
          { id: 'a', message: { n: 1 } },
          { id: 'b', message: { n: 2 } },
        ],
        remainingMs: 4_200,
        queueArn: QUEUE_ARN,
      },
    ]);
    expect(log.begun).toEqual(['request-1']);
    expect(meter.flushes).toBe(1);
  });

  it.each([
    ['is not JSON', '{'],
    ['is of another version', '{"n":1,"v":2}'],
    ['is empty', ''],
  ])('gives back, alone, a message that %s', async (_, poison) => {
    const worked: number[] = [];
    const handler = sqsHandler(Order, { log, meter }, async ({ n }) => void worked.push(n));
    const event = eventOf({ a: '{"n":1}', poison, c: '{"n":3}' });
    expect(await handler(event, context)).toEqual(failures('poison'));
    expect(worked).toEqual([1, 3]);
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', fields: { messageId: 'poison', receiveCount: '2' } }),
    );
  });

  it('does not start work on nothing', async () => {
    const work = jest.fn();
    const handler = sqsBatchHandler(Order, { log, meter }, work);
    expect(await handler(eventOf({ a: '{' }), context)).toEqual(failures('a'));
    expect(work).not.toHaveBeenCalled();
  });

  it('gives back only the messages whose own work throws', async () => {
    const handler = sqsHandler(Order, { log, meter }, async ({ n }) => {
      if (n === 2) throw new Error('no');
    });
    const event = eventOf({ a: '{"n":1}', b: '{"n":2}', c: '{"n":3}' });
    expect(await handler(event, context)).toEqual(failures('b'));
    expect(log.messages('error')).toEqual(['message returned to its queue']);
  });

  it('gives back the whole batch where its work throws, or names a message that is not in it', async () => {
    const event = eventOf({ a: '{"n":1}', b: '{"n":2}', c: '{' });
    const throwing = sqsBatchHandler(Order, { log, meter }, () => Promise.reject(new Error('no')));
    expect(await throwing(event, context)).toEqual(failures('c', 'a', 'b'));
    const confused = sqsBatchHandler(Order, { log, meter }, () => Promise.resolve({ failedIds: [''] }));
    expect(await confused(event, context)).toEqual(failures('c', 'a', 'b'));
  });

  it('does not undo work for metrics that cannot be written', async () => {
    meter.failing = true;
    const handler = sqsHandler(Order, { log, meter }, () => Promise.resolve());
    expect(await handler(eventOf({ a: '{"n":1}' }), context)).toEqual(failures());
    expect(log.messages('error')).toEqual(['metrics could not be written']);
  });

  it('is a function of two parameters, as Node 24 on Lambda asks', () => {
    expect(sqsHandler(Order, { log, meter }, () => Promise.resolve())).toHaveLength(2);
  });
});
