import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { DEFAULT_POOL, type Lane, LANES } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';
import { deploymentOf } from './deployment-name';
import { WorkQueue } from './work-queue';

export interface ExecutionQueuesProps {
  readonly pools: StageConfig['pools'];
}

/** IAM has no action for `SendMessageBatch`: `SendMessage` covers it. */
type QueueCall = 'SendMessage' | 'GetQueueAttributes';

type LaneQueues = Readonly<Record<Lane, WorkQueue>>;

/** `default` → `Default`, the spelling of construct ids. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** What the ids of a pool's constructs end with: nothing for `default`, which is older than other pools. */
export const suffixOf = (pool: string): string => (pool === DEFAULT_POOL ? '' : pascalCase(pool));

/**
 * Queues of the executors. A pool has one per priority, one for executions above a user's per-second limit,
 * and one for long calls.
 */
export class ExecutionQueues extends Construct {
  readonly byPool: Readonly<Record<typeof DEFAULT_POOL | (string & {}), LaneQueues>>;

  constructor(scope: Construct, id: string, { pools }: ExecutionQueuesProps) {
    super(scope, id);
    this.byPool = mapValues(pools, ({ timeoutSec }, pool) => {
      const poolScope = new Construct(this, pascalCase(pool));
      const queueOf = (lane: Lane) =>
        new WorkQueue(poolScope, pascalCase(lane), {
          consumerTimeout: Duration.seconds(timeoutSec),
          retention: Duration.days(4),
          // Other pools have fixed names: the URL of one queue tells those of all. `default` is older.
          name: pool === DEFAULT_POOL ? undefined : `${deploymentOf(this)}-${pool}-${lane}`,
        });
      return Object.fromEntries(LANES.map((lane) => [lane, queueOf(lane)])) as LaneQueues;
    }) as ExecutionQueues['byPool'];
  }

  /** Binds the URLs of all queues, by pool and lane, and permission for these calls on each of them. */
  calls(...calls: [QueueCall, ...QueueCall[]]): Binding<'EXECUTION_QUEUES'> {
    const urls = mapValues<string, LaneQueues, unknown>(this.byPool, (queues, pool) =>
      pool === DEFAULT_POOL
        ? mapValues(queues, ({ queue }) => queue.queueUrl)
        : queues[LANES[0]].queue.queueUrl,
    );
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
