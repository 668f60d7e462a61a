/** A message attribute as the SQS API spells it; binary values are base64. */
export interface MessageAttribute {
  DataType: string;
  StringValue?: string;
  BinaryValue?: string;
}

/** A message as fauxqs makes it. */
export interface QueuedMessage {
  messageId: string;
  body: string;
  md5OfBody: string;
  messageAttributes: Record<string, MessageAttribute>;
  md5OfMessageAttributes?: string;
  sentTimestamp: number;
  approximateReceiveCount: number;
  approximateFirstReceiveTimestamp?: number;
  /** Not to be seen before this instant. */
  delayUntil?: number;
  /** ARN of the queue that gave it up. */
  deadLetterQueueSourceArn?: string;
}

/** A message that someone has received and not yet deleted. */
export interface InFlight {
  message: QueuedMessage;
  receiptHandle: string;
  visibilityDeadline: number;
}
