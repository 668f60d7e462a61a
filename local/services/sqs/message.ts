/** A message attribute in the format of the SQS API; binary values are base64. */
export interface MessageAttribute {
  DataType: string;
  StringValue?: string;
  BinaryValue?: string;
}

/** A message as fauxqs creates it. */
export interface QueuedMessage {
  messageId: string;
  body: string;
  md5OfBody: string;
  messageAttributes: Record<string, MessageAttribute>;
  md5OfMessageAttributes?: string;
  sentTimestamp: number;
  approximateReceiveCount: number;
  approximateFirstReceiveTimestamp?: number;
  /** The message is invisible until this time, in milliseconds. */
  delayUntil?: number;
  /** ARN of the queue that moved it to the dead-letter queue. */
  deadLetterQueueSourceArn?: string;
}

/** A message that was received and is not yet deleted. */
export interface InFlight {
  message: QueuedMessage;
  receiptHandle: string;
  visibilityDeadline: number;
}
