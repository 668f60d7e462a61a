import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { type Lane, LANES } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../stage-config';
import type { Binding } from './binding';
import { pascalCase } from './pascal-case';
import { WorkQueue } from './work-queue';

export interface ExecutionQueuesProps {
  readonly pools: StageConfig['pools'];
}

/** `SendMessage` allows `SendMessageBatch` too; there is no action for it. */
export type QueueCall = 'SendMessage' | 'GetQueueAttributes';

/** What is to be executed: for each pool one queue a priority, and one for what users have due beyond their share. */
export class ExecutionQueues extends Construct {
  readonly byPool: Readonly<Record<keyof StageConfig['pools'], Readonly<Record<Lane, WorkQueue>>>>;

  constructor(scope: Construct, id: string, { pools }: ExecutionQueuesProps) {
    super(scope, id);
    this.byPool = mapValues(pools, ({ timeoutSec }, pool) => {
      const room = new Construct(this, pascalCase(pool));
      const ofLane = (lane: Lane) =>
        new WorkQueue(room, pascalCase(lane), {
          consumerTimeout: Duration.seconds(timeoutSec),
          retention: Duration.days(4),
        });
      return Object.fromEntries(LANES.map((lane) => [lane, ofLane(lane)])) as Record<Lane, WorkQueue>;
    });
  }

  /** The URL of every queue by pool and lane, and leave to make these calls on all of them. */
  calls(...calls: [QueueCall, ...QueueCall[]]): Binding<'EXECUTION_QUEUES'> {
    const urls = mapValues(this.byPool, (queues) => mapValues(queues, ({ queue }) => queue.queueUrl));
    const statement = new PolicyStatement({
      actions: calls.map((call) => `sqs:${call}`),
      resources: Object.values(this.byPool).flatMap((queues) =>
        Object.values(queues).map(({ queue }) => queue.queueArn),
      ),
    });
    return { env: { EXECUTION_QUEUES: JSON.stringify(urls) }, statements: [statement] };
  }
}

function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  to: (value: From, name: string) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record).map(([name, value]) => [name, to(value, name)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
