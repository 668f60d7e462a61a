import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import {
  DEFAULT_POOL,
  type Lane,
  type QueuesByUrl,
  queuedIn,
  queuedLanes,
} from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';
import { queueArnOf, receivingFrom, WorkQueue } from './work-queue';

export interface ExecutionQueuesProps {
  readonly config: Pick<StageConfig, 'pools' | 'laneQueues'>;
}

/** IAM has no action for `SendMessageBatch`: `SendMessage` covers it. */
type QueueCall = 'SendMessage' | 'GetQueueAttributes';

/** By lane: those that have a queue. */
type QueuesOfPool = Readonly<Partial<Record<Lane, WorkQueue>>>;

/** `default` → `Default`, the spelling of construct ids. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** What the ids of a pool's constructs end with: nothing for `default`, which is older than other pools. */
export const suffixOf = (pool: string): string => (pool === DEFAULT_POOL ? '' : pascalCase(pool));

/**
 * Queues of the executors. A pool has one per priority, one for executions above a project's per-second
 * limit, and one for long calls. If lanes share queues, it has one for short calls and one for long calls.
 */
export class ExecutionQueues extends Construct {
  readonly byPool: Readonly<Record<typeof DEFAULT_POOL | (string & {}), QueuesOfPool>>;
  private readonly first: WorkQueue;
  private readonly laneQueues: StageConfig['laneQueues'];

  constructor(scope: Construct, id: string, { config: { pools, laneQueues } }: ExecutionQueuesProps) {
    super(scope, id);
    this.laneQueues = laneQueues;
    this.byPool = mapValues(pools, ({ timeoutSec }, pool) => {
      const poolScope = new Construct(this, pascalCase(pool));
      const queueOf = (lane: Lane) =>
        new WorkQueue(poolScope, pascalCase(lane), {
          consumerTimeout: Duration.seconds(timeoutSec),
          retention: Duration.days(4),
          name: `${pool}-${lane}`,
        });
      return Object.fromEntries(queuedLanes(laneQueues).map((lane) => [lane, queueOf(lane)])) as QueuesOfPool;
    }) as ExecutionQueues['byPool'];
    this.first = Object.values(this.byPool[DEFAULT_POOL])[0]!;
  }

  /** The queue that has the messages of a lane. */
  queueOf(pool: string, lane: Lane): WorkQueue {
    return this.byPool[pool]![queuedIn(lane, this.laneQueues)]!;
  }

  get all(): WorkQueue[] {
    return Object.values(this.byPool).flatMap((queues) => Object.values(queues));
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
    const queues = {
      url: this.first.queue.queueUrl,
      pools: Object.keys(this.byPool),
      // Absent for lanes with queues of their own: environments are short of room.
      ...(this.laneQueues === 'shared' && { queues: this.laneQueues }),
    } satisfies Partial<QueuesByUrl>;
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
