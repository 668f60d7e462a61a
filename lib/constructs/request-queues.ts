import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { Binding } from './binding';
import { receivingFrom, WorkQueue } from './work-queue';

export interface RequestQueuesProps {
  readonly scannerTimeout: Duration;
  readonly sweeperTimeout: Duration;
}

/** Queues of the tick's requests: "scan these shards" and "sweep these shards". */
export class RequestQueues extends Construct {
  readonly scan: RequestQueue<'SCAN_QUEUE_URL'>;
  readonly sweep: RequestQueue<'SWEEP_QUEUE_URL'>;

  constructor(scope: Construct, id: string, { scannerTimeout, sweeperTimeout }: RequestQueuesProps) {
    super(scope, id);
    this.scan = new RequestQueue(this, 'Scan', 'scan', 'SCAN_QUEUE_URL', scannerTimeout);
    this.sweep = new RequestQueue(this, 'Sweep', 'sweep', 'SWEEP_QUEUE_URL', sweeperTimeout);
  }
}

/**
 * The next tick repeats each request, so one of an hour ago is useless, and a backlog of them would only
 * delay the new ones. An hour is still longer than the receives that move a request to the dead letters.
 */
const RETENTION = Duration.hours(1);

class RequestQueue<Variable extends string> extends WorkQueue {
  constructor(
    scope: Construct,
    id: string,
    readonly name: string,
    private readonly variable: Variable,
    consumerTimeout: Duration,
  ) {
    super(scope, id, { consumerTimeout, retention: RETENTION, name });
  }

  /** Binds the queue's URL and permission to send to it. */
  sending(): Binding<Variable> {
    const statement = new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.queue.queueArn] });
    return {
      env: { [this.variable]: this.queue.queueUrl } as Record<Variable, string>,
      statements: [statement],
    };
  }

  /** Binds permission to take its messages. */
  receiving(): Binding<never> {
    return receivingFrom([this.queue.queueArn]);
  }
}
