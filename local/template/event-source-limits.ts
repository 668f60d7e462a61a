/**
 * How Lambda scales an event source of SQS, as AWS publishes it. A batch occupies an execution environment.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
export const EVENT_SOURCE_LIMITS = {
  /** Batches at once without a configured maximum. */
  concurrency: 1_250,
  /** Batches that a queue starts with after silence, and how many more each minute. */
  start: 5,
  morePerMinute: 300,
  /** Batches of one provisioned poller, and how many more all of them get each minute. */
  pollerBatches: 10,
  pollersMorePerMinute: 1_000,
} as const;
