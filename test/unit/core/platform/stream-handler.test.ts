import type { Context } from 'aws-lambda';

import { Metric } from '../../../../lambdas/core/contracts/metrics';
import { streamHandler } from '../../../../lambdas/core/platform/stream-handler';
import { RecordingLog } from '../../../support/recording-log';
import { RecordingMeter } from '../../../support/recording-meter';

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 4_200 } as Context;
/** A change of a row that is no execution, and one that lacks its sequence number. */
const OTHER = { eventID: 'e-1', dynamodb: { ApproximateCreationDateTime: 1, SequenceNumber: '1' } };
const BROKEN = { eventID: 'e-2', dynamodb: { ApproximateCreationDateTime: 1 } };

test('a record that cannot be read is counted and passed over, and the others are followed', async () => {
  const log = Object.assign(new RecordingLog(), { begin: jest.fn() });
  const meter = Object.assign(new RecordingMeter(), { flush: jest.fn() });
  const work = jest.fn(async () => ({ failedFrom: '7' }));
  const answer = await streamHandler({ log, meter }, work)({ Records: [OTHER, BROKEN] }, context);
  expect(work).toHaveBeenCalledWith([], '');
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] });
  expect(meter.total(Metric.endsUnread)).toBe(1);
  expect(log.messages('error')).toEqual(['unreadable change passed over']);
});
