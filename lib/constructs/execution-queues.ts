import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { type Lane, LANES } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';

import { WorkQueue } from './work-queue';

export interface ExecutionQueuesProps {
  readonly pools: StageConfig['pools'];
}

/** IAM has no action for `SendMessageBatch`: `SendMessage` covers it. */
type QueueCall = 'SendMessage' | 'GetQueueAttributes';

/** `default` → `Default`, the spelling of construct ids. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Queues of the executor. A pool has one per priority, plus one for executions above a user's per-second
 * limit.
 */
export class ExecutionQueues extends Construct {
  readonly byPool: Readonly<Record<keyof StageConfig['pools'], Readonly<Record<Lane, WorkQueue>>>>;

  constructor(scope: Construct, id: string, { pools }: ExecutionQueuesProps) {
    super(scope, id);
    this.byPool = mapValues(pools, ({ timeoutSec }, pool) => {
      const poolScope = new Construct(this, pascalCase(pool));
      const queueOf = (lane: Lane) =>
        new WorkQueue(poolScope, pascalCase(lane), {
          consumerTimeout: Duration.seconds(timeoutSec),
          retention: Duration.days(4),
        });
      return Object.fromEntries(LANES.map((lane) => [lane, queueOf(lane)])) as Record<Lane, WorkQueue>;
    });
  }

  /** Binds the URLs of all queues, by pool and lane, and permission for these calls on each of them. */
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
