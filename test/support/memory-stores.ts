import type { Clock } from '../../lambdas/core/clock/clock';
import type { Random } from '../../lambdas/core/clock/random';
import { type Stores, storesOf } from '../../lambdas/core/platform/stores';
import { TABLES } from './dynamo/memory-backend';
import { type Faults, MemoryDynamo } from './dynamo/memory-dynamo';
import type { MemoryTables } from './dynamo/memory-tables';

/**
 * The real stores of one process over tables in memory. Processes that share the tables see each other's
 * writes. `faults` are the process's own, those of its heartbeats included. A request has `maxAttempts`
 * tries, a heartbeat one.
 */
export const memoryStores = (
  tables: MemoryTables,
  node: { clock: Clock; random: Random; faults?: Faults; maxAttempts?: number },
): Stores => {
  const { clock, random, faults, maxAttempts = 3 } = node;
  return storesOf({
    documents: new MemoryDynamo(tables, { maxAttempts, faults }),
    heartbeats: new MemoryDynamo(tables, { maxAttempts: 1, faults }),
    tables: TABLES,
    clock,
    random,
  });
};
