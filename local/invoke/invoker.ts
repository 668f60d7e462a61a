import { programFile } from '../machine/program.cjs';
import type { Callers } from '../services/callers';
import type { LocalMapping } from '../sources/local-concurrency';
import type { FunctionSpec } from '../template/stack';
import type { InvokeOutcome } from './environment';
import { type AwsAccess, FunctionPool } from './function-pool';
import { type LogSink, type LogTarget, openLog } from './log-sink';
import { ProcessorRoom } from './processor-room';

/**
 * Maximum number of environments for invocations without an event source mapping: by the API and by
 * schedules.
 */
const DIRECT_ENVIRONMENTS = 8;
/** Environments of a function for which the stack reserves more. Each takes 25 MB once an event needs it. */
const MOST_DIRECT_ENVIRONMENTS = 48;

export interface InvokerOptions {
  callers: Callers;
  aws: AwsAccess;
  logs: LogTarget;
  /** Their batches must not wait for one another, so each needs an environment. */
  mappings: readonly LocalMapping[];
}

/** Invokes the functions of the stack. */
export class Invoker {
  private readonly pools = new Map<string, FunctionPool>();
  private readonly logs: LogSink[] = [];
  private readonly room = new ProcessorRoom();

  /** Environments start on demand. */
  static async start(functions: FunctionSpec[], options: InvokerOptions): Promise<Invoker> {
    return new Invoker(functions, options, await programFile('local/invoke/environment-worker.ts'));
  }

  private constructor(functions: FunctionSpec[], options: InvokerOptions, file: string) {
    const { room } = this;
    for (const spec of functions) {
      const log = openLog(spec.logicalId, options.logs);
      this.logs.push(log);
      const mapped = options.mappings
        .filter(({ functionArn }) => functionArn === spec.arn)
        .reduce((sum, { mostWithRoom }) => sum + mostWithRoom, 0);
      const { reservedConcurrency: reserved } = spec;
      const direct = Math.min(reserved ?? DIRECT_ENVIRONMENTS, MOST_DIRECT_ENVIRONMENTS);
      const maxEnvironments =
        mapped === 0 ? direct : Math.min(Math.max(mapped, DIRECT_ENVIRONMENTS), reserved ?? mapped + direct);
      const { callers, aws } = options;
      this.pools.set(
        spec.arn,
        new FunctionPool(spec, { callers, aws, log, maxEnvironments, room, workerFile: file }),
      );
    }
  }

  /**
   * Starts one environment of a function, unless it or another with the same code has one. An environment
   * takes 25 MB, and many runs use one of their executors alone.
   */
  warmUp(functionArn: string): void {
    const { codeDirectory } = this.spec(functionArn);
    const alike = [...this.pools.values()].filter(({ spec }) => spec.codeDirectory === codeDirectory);
    if (alike.every(({ isCold }) => isCold)) this.pool(functionArn).warmUp();
  }

  get hasRoom(): boolean {
    return this.room.hasRoom;
  }

  /** `event` and a payload are JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome> {
    return this.pool(functionArn).invoke(event);
  }

  /** See `FunctionPool.kill`. Takes any unique part of the logical id; throws if it is not unique. */
  kill(functionLogicalId: string): boolean {
    const pools = [...this.pools.values()];
    const found = pools.filter(({ spec }) => spec.logicalId.includes(functionLogicalId));
    const [pool] = found;
    if (!pool || found.length > 1)
      throw new Error(
        `${functionLogicalId} matches ${found.length} of the functions ${pools.map(({ spec }) => spec.logicalId).join(', ')}`,
      );
    return pool.kill();
  }

  stop(): void {
    for (const pool of this.pools.values()) pool.stop();
    for (const log of this.logs) log.close();
  }

  spec(functionArn: string): FunctionSpec {
    return this.pool(functionArn).spec;
  }

  private pool(functionArn: string): FunctionPool {
    const pool = this.pools.get(functionArn);
    if (!pool) throw new Error(`the stack has no function ${functionArn}`);
    return pool;
  }
}
