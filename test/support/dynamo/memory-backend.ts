import type { DynamoBackend, FaultyClient } from './backend';
import { noAnswer, transactionConflict } from './errors';
import { type Faults, MemoryDynamo } from './memory-dynamo';
import { TABLE_KEYS } from './table-keys';
import { MemoryTables, type MemoryTablesOptions } from './memory-tables';

export const TABLES = { jobs: 'jobs', executions: 'executions', schedule: 'schedule' };

/** The three tables, empty, in memory. */
export const memoryTables = (options?: MemoryTablesOptions): MemoryTables =>
  new MemoryTables(
    {
      [TABLES.jobs]: TABLE_KEYS.jobs,
      [TABLES.executions]: TABLE_KEYS.executions,
      [TABLES.schedule]: TABLE_KEYS.schedule,
    },
    options,
  );

export async function openMemoryBackend(options: MemoryTablesOptions): Promise<DynamoBackend> {
  const tables = memoryTables(options);
  return { tables: TABLES, client: () => faultyMemoryClient(tables), close: () => Promise.resolve() };
}

export function faultyMemoryClient(tables: MemoryTables): FaultyClient {
  let requests = 0;
  let before: (() => void) | undefined;
  let after: (() => void) | undefined;
  let left: unknown;
  let leaving = false;
  const once = (raise: () => Error, clear: () => void) => () => {
    clear();
    throw raise();
  };
  const faults: Faults = {
    before() {
      requests += 1;
      before?.();
    },
    after: () => after?.(),
    leaves(_table, _key, call) {
      if (leaving) {
        leaving = false;
        left = call.input; // the first key of this batch is served
        return false;
      }
      return left === call.input;
    },
  };
  return {
    documents: new MemoryDynamo(tables, { maxAttempts: 3, faults }),
    loseNextAnswer: () => (after = once(noAnswer, () => (after = undefined))),
    loseNextRequest: () => (before = once(noAnswer, () => (before = undefined))),
    conflictNext: () => (before = once(transactionConflict, () => (before = undefined))),
    leaveNextBatch: () => (leaving = true),
    get requests() {
      return requests;
    },
  };
}
