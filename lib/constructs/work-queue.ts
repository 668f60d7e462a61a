import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import type { Binding } from './binding';

export interface WorkQueueProps {
  /** Timeout of the function that consumes it. */
  readonly consumerTimeout: Duration;
  /** How long a message stays useful. */
  readonly retention: Duration;
  /** @default a generated name */
  readonly name?: string | undefined;
}

/** Receives of a message before it moves to the dead letters. Lambda's guide asks for at least five. */
const MAX_RECEIVE_COUNT = 5;
/**
 * Lambda's guide: a throttled or failing batch needs time for retries before the message becomes visible
 * again.
 */
const VISIBILITY_PER_TIMEOUT = 6;

/** A queue that a function consumes, with its dead-letter queue. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { consumerTimeout, retention, name }: WorkQueueProps) {
    super(scope, id);
    const secured = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...secured,
      // Retention counts from the first send, not from the move to this queue. The maximum leaves time to
      // investigate.
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...secured,
      queueName: name,
      retentionPeriod: retention,
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * VISIBILITY_PER_TIMEOUT),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }
}

/**
 * Permission to read how much is in these queues and how old it is, and to take their dead letters. Sending
 * is apart.
 */
export const administering = (queues: readonly WorkQueue[]): Binding<never> => ({
  env: {},
  statements: [
    new PolicyStatement({
      actions: ['sqs:GetQueueAttributes'],
      resources: queues.flatMap(({ queue, deadLetters }) => [queue.queueArn, deadLetters.queueArn]),
    }),
    new PolicyStatement({
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'],
      resources: queues.map(({ deadLetters }) => deadLetters.queueArn),
    }),
    new PolicyStatement({ actions: ['cloudwatch:GetMetricData'], resources: ['*'] }),
  ],
});
