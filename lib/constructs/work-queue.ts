import { Duration, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnQueuePolicy, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import type { Binding } from './binding';
import { deploymentOf } from './deployment-name';

export interface WorkQueueProps {
  /** Timeout of the function that consumes it. */
  readonly consumerTimeout: Duration;
  /** How long a message stays useful. */
  readonly retention: Duration;
  /** What its name ends with, after that of the deployment: at most 19 characters. */
  readonly name: string;
}

/** Receives of a message before it moves to the dead letters. Lambda's guide asks for at least five. */
const MAX_RECEIVE_COUNT = 5;
/**
 * Lambda's guide: a throttled or failing batch needs time for retries before the message becomes visible
 * again.
 */
const VISIBILITY_PER_TIMEOUT = 6;

/** What the names of dead-letter queues have before that of their queue: one pattern names them all. */
export const DEAD = 'dead';

/** The ARN of queues in this account and region, by a name that may have a `*` at its end. */
export const queueArnOf = (scope: Construct, name: string): string =>
  Stack.of(scope).formatArn({ service: 'sqs', resource: `${deploymentOf(scope)}-${name}` });

/**
 * A queue that a function consumes, with its dead-letter queue. Their names are fixed, so that a pattern in a
 * policy names many: the ARNs of 74 queues would exceed what IAM allows.
 */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { consumerTimeout, retention, name }: WorkQueueProps) {
    super(scope, id);
    const deployment = deploymentOf(this);
    const secured = { encryption: QueueEncryption.SQS_MANAGED };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...secured,
      queueName: `${deployment}-${DEAD}-${name}`,
      // Retention counts from the first send, not from the move to this queue. The maximum leaves time to
      // investigate.
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...secured,
      queueName: `${deployment}-${name}`,
      retentionPeriod: retention,
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * VISIBILITY_PER_TIMEOUT),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }
}

/** One policy for all queues: none takes a request that is not encrypted. Each takes what `allowed` says. */
export function refusePlainRequests(
  scope: Construct,
  queues: readonly Pick<WorkQueue, 'queue' | 'deadLetters'>[],
  ...allowed: PolicyStatement[]
): void {
  refusePlainRequestsTo(
    scope,
    queues.flatMap(({ queue, deadLetters }) => [queue, deadLetters]),
    ...allowed,
  );
}

/** One policy for queues that stand alone: none takes a request that is not encrypted. */
export function refusePlainRequestsTo(
  scope: Construct,
  queues: readonly Queue[],
  ...allowed: PolicyStatement[]
): void {
  const statement = new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['sqs:*'],
    resources: ['*'], // in the policy of a queue, `*` is the queue itself
    conditions: { Bool: { 'aws:SecureTransport': 'false' } },
  });
  new CfnQueuePolicy(scope, 'QueuePolicy', {
    queues: queues.map(({ queueUrl }) => queueUrl),
    policyDocument: new PolicyDocument({ statements: [statement, ...allowed] }),
  });
}

/** Permission to take the messages of these queues. */
export const receivingFrom = (resources: string[]): Binding<never> => ({
  env: {},
  statements: [
    new PolicyStatement({
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources,
    }),
  ],
});

/**
 * Permission to read how much is in the queues of these names and how old it is, and to take dead letters.
 * Sending is apart.
 */
export const administering = (scope: Construct, names: readonly string[]): Binding<never> => {
  const dead = queueArnOf(scope, `${DEAD}-*`);
  return {
    env: {},
    statements: [
      new PolicyStatement({
        actions: ['sqs:GetQueueAttributes'],
        resources: [...names.map((name) => queueArnOf(scope, name)), dead],
      }),
      new PolicyStatement({ actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'], resources: [dead] }),
      new PolicyStatement({ actions: ['cloudwatch:GetMetricData'], resources: ['*'] }),
    ],
  };
};
