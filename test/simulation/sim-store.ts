import {
  isRetriedBySdk,
  noAnswer,
  serverError,
  throttled,
  transactionConflict,
} from '../support/dynamo/errors';
import { TABLES } from '../support/dynamo/memory-backend';
import { type Call, type Faults as ClientFaults, MemoryDynamo } from '../support/dynamo/memory-dynamo';
import type { MemoryTables } from '../support/dynamo/memory-tables';
import type { FakeClock } from '../support/fake-clock';
import type { Faults } from './faults';
import type { EventLog } from './log';
import type { SimNode } from './node';
import { type RecordedTables, writtenKeys } from './recorded-tables';
import { SentWrites } from './sent-writes';
import { type WriteMoment, writeKindOf } from './write-kills';

/** As the deployed clients. */
const SDK_ATTEMPTS = 5;
const REQUEST_TIMEOUT_MS = 3_000;
/** Together with the write deadline and the clock skew, this stays below the time of the recheck. */
const LONGEST_LATE_MS = 4_000;
const isWrite = ({ command }: Call): boolean => /^(Put|Update|Delete|BatchWrite)/.test(command);

interface StoreWorld {
  time: FakeClock;
  faults: Faults;
  writes: SentWrites;
}

/** A node's two clients, the one for heartbeats included, over the tables that all nodes share. */
export function clientsOf(
  node: SimNode,
  tables: RecordedTables,
  { time, faults: drawn, log }: { time: FakeClock; faults: Faults; log: EventLog },
): { documents: MemoryDynamo; heartbeats: MemoryDynamo } {
  const world = { time, faults: drawn, writes: new SentWrites(node, time, log) };
  const faults = faultsOf(node, tables, world);
  return {
    documents: new MemoryDynamo(tablesOf(node, tables, world), { maxAttempts: SDK_ATTEMPTS, faults }),
    heartbeats: new MemoryDynamo(tables, { maxAttempts: 1, faults }),
  };
}

/**
 * Eventually consistent reads may return rows as they were seconds or minutes ago. A node may die as soon as
 * its write is made.
 */
function tablesOf(
  node: SimNode,
  tables: RecordedTables,
  { time, faults, writes }: StoreWorld,
): Pick<MemoryTables, 'apply'> {
  return {
    apply(command, input, skips) {
      const call = { command, input, attempt: 1 };
      if (isWrite(call)) {
        const output = node.writesOldRows
          ? tables.applyAsOlder(command, input, skips)
          : tables.apply(command, input, skips);
        writes.landed(call, writes.begunMs(call));
        diesAt(call, 'after', node, faults);
        return output;
      }
      const at = { table: tableOf(call), stage: node.stage, detail: `${node.name} ${command}` };
      if (!isEventual(call) || !faults.strikes('store-stale', at)) return tables.apply(command, input, skips);
      const lagMs = node.random.between(100, node.random.pick([10_000, 10_000, 300_000]));
      return tables.applyAsOf(time.nowMs() - lagMs, command, input, skips);
    },
  };
}

function isEventual({ command, input }: Call): boolean {
  if (command === 'ScanCommand') return input.ConsistentRead !== true;
  if (command === 'QueryCommand') return input.TableName === TABLES.schedule && input.ConsistentRead !== true;
  if (command !== 'BatchGetCommand') return false;
  const requests = Object.values(input.RequestItems as Record<string, { ConsistentRead?: boolean }>);
  return requests.every(({ ConsistentRead }) => ConsistentRead !== true);
}

function faultsOf(node: SimNode, tables: MemoryTables, { time, faults, writes }: StoreWorld): ClientFaults {
  const where = (call: Call, table = tableOf(call)) => ({
    table,
    stage: node.stage,
    detail: `${node.name} ${call.command} ${table}`,
  });
  return {
    async before(call) {
      if (isWrite(call)) writes.begins(call);
      await node.gate();
      const at = where(call);
      await time.sleep(1 + node.random.fraction() * 6);
      if (faults.strikes('store-slow', at)) await time.sleep(node.random.fraction() * REQUEST_TIMEOUT_MS);
      if (faults.strikes('store-outage', at) || faults.strikes('store-request-lost', at)) {
        await time.sleep(REQUEST_TIMEOUT_MS);
        await node.gate();
        throw noAnswer();
      }
      if (isWrite(call) && faults.strikes('store-applied-late', at)) {
        const begunMs = writes.begunMs(call);
        void time.sleep(node.random.fraction() * LONGEST_LATE_MS).then(() => {
          if (applyUnseen(tables, call)) writes.landed(call, begunMs);
        });
        await time.sleep(REQUEST_TIMEOUT_MS);
        await node.gate();
        throw noAnswer();
      }
      const refused = faults.strikes('store-throttled', at)
        ? throttled()
        : faults.strikes('store-conflict', at) && isWrite(call)
          ? transactionConflict()
          : undefined;
      if (!refused) {
        if (isWrite(call) && diesAt(call, 'before', node, faults)) await node.gate();
        return;
      }
      await node.gate();
      throw refused;
    },
    async after(call) {
      const at = where(call);
      await time.sleep(1 + node.random.fraction() * 6);
      const lost = faults.strikes('store-answer-lost', at);
      if (lost) await time.sleep(REQUEST_TIMEOUT_MS);
      const broken = !lost && faults.strikes('store-error-applied', at);
      await node.gate();
      if (lost) throw noAnswer();
      if (broken) throw serverError();
    },
    leaves: (table, _, call) => faults.strikes('store-unprocessed', where(call, table)),
    backOff: async ({ attempt }) => {
      await time.sleep(node.random.fraction() * Math.min(20_000, 50 * 2 ** attempt));
      await node.gate();
    },
  };
}

/** Kills the node if a fault strikes at this write. A batch is one write. */
function diesAt({ command, input }: Call, side: WriteMoment['side'], node: SimNode, faults: Faults): boolean {
  const [written] = writtenKeys(command, input as Parameters<typeof writtenKeys>[1]);
  const write = written && writeKindOf(written.table, written.key);
  if (!write || !faults.killsAt({ stage: node.stage, node: node.name, write, side })) return false;
  node.kill(`${side} its write of a ${write}`);
  return true;
}

/** Applies a request that was on the wire for so long that its caller no longer waits. Or it is refused. */
function applyUnseen(tables: MemoryTables, call: Call): boolean {
  try {
    tables.apply(call.command, call.input, () => false);
    return true;
  } catch (error) {
    if (isRetriedBySdk(error) || !(error instanceof Error)) throw error;
    if (error.name !== 'ConditionalCheckFailedException') throw error;
    return false;
  }
}

const tableOf = ({ input }: Call): string =>
  (input.TableName as string | undefined) ?? Object.keys(input.RequestItems as object)[0]!;
