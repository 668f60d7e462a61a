import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export interface WorkQueueProps {
  /** Time-out of the function that consumes it. */
  readonly consumerTimeout: Duration;
  /** How long a message is of use. */
  readonly retention: Duration;
}

/** Receives of one message before it is set aside. Lambda's guide asks for at least five. */
const MAX_RECEIVE_COUNT = 5;
/** Lambda's guide: a throttled or failing batch needs room for its retries before the message turns up again. */
const VISIBILITY_PER_TIMEOUT = 6;

/** A queue that a function consumes, and the queue of what it could not. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { consumerTimeout, retention }: WorkQueueProps) {
    super(scope, id);
    const secured = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...secured,
      // Its clock starts when a message was first sent, not when it came here; the longest there is leaves time to look.
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...secured,
      retentionPeriod: retention,
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * VISIBILITY_PER_TIMEOUT),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }
}
