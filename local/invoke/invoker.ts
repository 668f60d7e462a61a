import type { Callers } from '../services/callers';
import type { FunctionSpec } from '../template/stack';
import { workerFile } from '../machine/worker-file';
import type { InvokeOutcome } from './environment';
import { FunctionPool } from './function-pool';
import { type LogSink, type LogTarget, openLog } from './log-sink';

/** Environments for calls that do not come over a mapping (the API, schedules), at most. */
const DIRECT_ENVIRONMENTS = 8;

export interface InvokerOptions {
  callers: Callers;
  place: { region: string; awsUrl: string };
  logTarget: LogTarget;
  /** Batches that mappings may have at work at once in a function, by ARN. They must not wait for one another. */
  mappedConcurrency: ReadonlyMap<string, number>;
}

/** Invokes the functions of the stack. */
export class Invoker {
  private readonly pools = new Map<string, FunctionPool>();
  private readonly logs: LogSink[] = [];

  static async create(functions: FunctionSpec[], options: InvokerOptions): Promise<Invoker> {
    return new Invoker(functions, options, await workerFile('invoke/environment-worker.ts'));
  }

  private constructor(functions: FunctionSpec[], options: InvokerOptions, file: string) {
    for (const spec of functions) {
      const log = openLog(spec.logicalId, options.logTarget);
      this.logs.push(log);
      const mapped = options.mappedConcurrency.get(spec.arn) ?? 0;
      const maxEnvironments = Math.min(
        Math.max(mapped, DIRECT_ENVIRONMENTS),
        spec.reservedConcurrency ?? Number.POSITIVE_INFINITY,
      );
      const { callers, place } = options;
      this.pools.set(
        spec.arn,
        new FunctionPool(spec, { callers, place, log, maxEnvironments, workerFile: file }),
      );
    }
  }

  /** Takes and gives JSON text. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome> {
    return this.pool(functionArn).invoke(event);
  }

  warmUp(): void {
    for (const pool of this.pools.values()) pool.warmUp();
  }

  /** See `FunctionPool.kill`. A part of the logical id will do; throws unless exactly one function has it. */
  kill(functionLogicalId: string): boolean {
    const pools = [...this.pools.values()];
    const found = pools.filter(({ spec }) => spec.logicalId.includes(functionLogicalId));
    const [pool] = found;
    if (!pool || found.length > 1)
      throw new Error(
        `${functionLogicalId} names ${found.length} of the functions ${pools.map(({ spec }) => spec.logicalId).join(', ')}`,
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
