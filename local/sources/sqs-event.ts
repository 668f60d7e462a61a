import type { InFlight, MessageAttribute } from '../services/sqs/message';

/** The event for a batch of SQS messages. */
export function sqsEvent(batch: InFlight[], queueArn: string, region: string): object {
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
