import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { DEFAULT_POOL, type Lane, LANES, type QueuesByUrl } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';
import { queueArnOf, receivingFrom, WorkQueue } from './work-queue';

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
 * Queues of the executors. A pool has one per priority, one for executions above a project's per-second
 * limit, and one for long calls.
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
          name: `${pool}-${lane}`,
        });
      return Object.fromEntries(LANES.map((lane) => [lane, queueOf(lane)])) as LaneQueues;
    }) as ExecutionQueues['byPool'];
  }

  /** Names of all queues, one pattern for each pool. */
  get names(): string[] {
    return Object.keys(this.byPool).map((pool) => `${pool}-*`);
  }

  /**
   * Binds the pools with the URL of one queue, from which follow those of all, and permission for these calls
   * on each of them.
   */
  calls(...calls: [QueueCall, ...QueueCall[]]): Binding<'EXECUTION_QUEUES'> {
    const url = this.byPool[DEFAULT_POOL][LANES[0]].queue.queueUrl;
    const queues = { url, pools: Object.keys(this.byPool) } satisfies QueuesByUrl;
    const actions = calls.map((call) => `sqs:${call}`);
    return {
      env: { EXECUTION_QUEUES: JSON.stringify(queues) },
      statements: [new PolicyStatement({ actions, resources: this.arns })],
    };
  }

  /** Binds permission to take the messages of all queues. */
  receiving(): Binding<never> {
    return receivingFrom(this.arns);
  }

  private get arns(): string[] {
    return this.names.map((name) => queueArnOf(this, name));
  }
}

function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  to: (value: From, name: string) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record).map(([name, value]) => [name, to(value, name)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
