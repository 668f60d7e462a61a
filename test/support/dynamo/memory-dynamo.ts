import type { DocumentClient } from '../../../lambdas/core/store/dynamo/access';
import { isRetriedBySdk } from './errors';
import type { MemoryTables } from './memory-tables';
import type { Item } from '../../../local/services/dynamodb/engine/paths';

/** One try of one request, as a fault sees it. */
export interface Call {
  /** The SDK's name: `PutCommand`, `BatchGetCommand` … */
  command: string;
  input: Readonly<Record<string, unknown>>;
  /** From 1. */
  attempt: number;
  /** Aborts when the caller gives the request up. */
  signal?: AbortSignal;
}

/**
 * Faults of one client; each may wait (on virtual time) and may throw. A request that is aborted during such
 * a wait rejects at once. It is applied only if it was applied before.
 */
export interface Faults {
  /** Thrown here, the request is lost: nothing was applied. */
  before?: (call: Call) => void | Promise<void>;
  /** Thrown here, the answer is lost: everything was applied. Called for refused writes too. */
  after?: (call: Call) => void | Promise<void>;
  /** Keys of a batch that DynamoDB does not get to. */
  leaves?: (table: string, key: Item, call: Call) => boolean;
  /** Waits before the SDK's next try of the same request. */
  backOff?: (call: Call) => void | Promise<void>;
}

export interface MemoryDynamoOptions {
  /** As the SDK's: tries of one request where it gets no answer, is throttled or meets a 500. Default: 1. */
  maxAttempts?: number;
  faults?: Faults;
}

/**
 * A document client over tables in memory, for one node. Nodes share the tables, and each has its own faults.
 * It has no timers and no randomness: calls and faults alone decide what happens.
 */
export class MemoryDynamo {
  private readonly maxAttempts: number;
  faults: Faults;

  constructor(
    private readonly tables: Pick<MemoryTables, 'apply'>,
    options: MemoryDynamoOptions = {},
  ) {
    this.maxAttempts = options.maxAttempts ?? 1;
    this.faults = options.faults ?? {};
  }

  readonly send = (async (
    command: { input: Record<string, unknown> },
    options?: Parameters<DocumentClient['send']>[1],
  ): Promise<unknown> => {
    const signal = options?.abortSignal;
    if (options?.heldUntil) await options.heldUntil;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) throw aborted();
      const call: Call = { command: command.constructor.name, input: command.input, attempt, signal };
      try {
        const output = await this.once(call);
        output.$metadata = { httpStatusCode: 200, attempts: attempt, totalRetryDelay: 0 };
        return output;
      } catch (error) {
        if (attempt < this.maxAttempts && isRetriedBySdk(error)) {
          await unlessAborted(this.faults.backOff?.(call), signal);
          continue;
        }
        if (error instanceof Error) {
          const failed = error as { $metadata?: object };
          failed.$metadata = { ...failed.$metadata, attempts: attempt };
        }
        throw error;
      }
    }
  }) as unknown as DocumentClient['send'];

  private async once(call: Call): Promise<Record<string, unknown>> {
    const { before, after, leaves } = this.faults;
    const { signal } = call;
    if (before) await unlessAborted(before(call), signal);
    try {
      return this.tables.apply(
        call.command,
        call.input,
        leaves ? (table, key) => leaves(table, key, call) : () => false,
      );
    } finally {
      if (after) await unlessAborted(after(call), signal);
    }
  }
}

/** Waits as the SDK does: an abort ends the wait, and what is waited for is left behind. */
function unlessAborted(waiting: void | Promise<void>, signal: AbortSignal | undefined): void | Promise<void> {
  if (!waiting || !signal) return waiting;
  return new Promise((resolve, reject) => {
    const abort = () => reject(aborted());
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (go: () => void) => () => {
      signal.removeEventListener('abort', abort);
      go();
    };
    waiting.then(settle(resolve), (error: unknown) => settle(() => reject(error))());
  });
}

const aborted = (): Error => Object.assign(new Error('Request aborted'), { name: 'AbortError' });
