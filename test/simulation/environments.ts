import type { Clock } from '../../lambdas/core/clock/clock';
import type { Random } from '../../lambdas/core/clock/random';
import { compose, type ComposeParts, type Composition } from '../../lambdas/core/platform/compose';
import type { ExecutionQueue } from '../../lambdas/core/queue/execution-queue';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import type { DocumentClient } from '../../lambdas/core/store/dynamo/access';
import { TABLES } from '../support/dynamo/memory-backend';
import type { SimNode } from './node';

/** How one node reaches the tables and queues. */
export interface Connections {
  documents: DocumentClient;
  heartbeats: DocumentClient;
  executionQueue: ExecutionQueue;
}

export type SharedParts = Pick<ComposeParts, 'events' | 'log' | 'meter' | 'settings' | 'packs'>;

/**
 * One execution environment of a stage. It is composed once, as in production, so its caches and its counts
 * outlive an invocation. One node uses it at a time, with the node's clock, randomness and connections.
 */
export class Environment {
  readonly composed: Composition;
  private node: SimNode | undefined;
  private connections!: Connections;

  constructor(stage: SendingStage, parts: SharedParts) {
    const clock: Clock = {
      nowMs: () => this.node!.clock.nowMs(),
      monotonicMs: () => this.node!.clock.monotonicMs(),
      sleep: (ms, signal) => this.node!.clock.sleep(ms, signal),
    };
    const random: Random = { fraction: () => this.node!.random.fraction(), id: () => this.node!.random.id() };
    this.composed = compose({
      ...parts,
      stage,
      tables: TABLES,
      documents: clientOf(() => this.connections.documents),
      heartbeats: clientOf(() => this.connections.heartbeats),
      executionQueue: {
        send: (messages) => this.connections.executionQueue.send(messages),
        has: (pool, priority) => this.connections.executionQueue.has(pool, priority),
        backlog: (pool, lane) => this.connections.executionQueue.backlog(pool, lane),
      },
      clock,
      random,
    });
  }

  enter(node: SimNode, connections: Connections): void {
    const before = this.node;
    this.node = node;
    this.connections = connections;
    before?.resume();
  }

  /** Between two invocations nothing goes on in it. */
  freeze(): void {
    this.node?.suspend();
  }
}

const clientOf = (current: () => DocumentClient): DocumentClient => ({
  send: ((command: never, options: never) => current().send(command, options)) as DocumentClient['send'],
});

/** The environments of all stages. As in Lambda, the one used last is used next. */
export class Environments {
  private readonly idle = new Map<SendingStage, Environment[]>();
  private made = 0;

  constructor(
    private readonly partsOf: (stage: SendingStage, number: number) => SharedParts,
    /** Whether what an invocation leaves pending waits for the next one, as in Lambda. */
    private readonly freeze: boolean,
  ) {}

  take(stage: SendingStage): Environment {
    return this.idle.get(stage)?.pop() ?? new Environment(stage, this.partsOf(stage, this.made++));
  }

  /** After an invocation that ended by itself. An environment whose node died is not reused. */
  putBack(stage: SendingStage, environment: Environment): void {
    const idle = this.idle.get(stage) ?? [];
    if (this.freeze) environment.freeze();
    idle.push(environment);
    this.idle.set(stage, idle);
  }
}
