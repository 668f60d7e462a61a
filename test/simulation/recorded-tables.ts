import { isDeepStrictEqual } from 'node:util';

import { bucketKeyOf, jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { Entry } from '../../lambdas/core/domain/entry';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import { executionOf } from '../../lambdas/core/store/dynamo/executions/execution-row';
import { jobOf } from '../../lambdas/core/store/dynamo/jobs/job-row';
import { entryOf } from '../../lambdas/core/store/dynamo/schedule/entry-row';
import type { ExecutionRef } from '../../lambdas/core/store/execution-store';
import type { Hold } from '../../lambdas/core/store/hold-store';
import type { Cursor } from '../../lambdas/core/store/schedule-store';
import { TABLES } from '../support/dynamo/memory-backend';
import { EXECUTIONS_KEY, JOBS_KEY, SCHEDULE_KEY, SHARDS_KEY } from '../../lambdas/core/contracts/tables';
import { MemoryTables } from '../support/dynamo/memory-tables';
import type { Item } from '../support/dynamo/paths';
import type { EventLog } from './log';

type Input = Parameters<MemoryTables['apply']>[1];
type Skips = Parameters<MemoryTables['apply']>[2];

const KEYS: Readonly<Record<string, { partition: string; sort: string }>> = {
  [TABLES.jobs]: JOBS_KEY,
  [TABLES.executions]: EXECUTIONS_KEY,
  [TABLES.schedule]: SCHEDULE_KEY,
};

/** The three tables; whatever a write changes in them goes into the log, in the order of the table. */
export class RecordedTables extends MemoryTables {
  /** Versions of each row, by table and key. */
  private readonly versions = new Map<string, { t: number; row: Item | undefined }[]>();

  constructor(
    private readonly log: EventLog,
    private readonly nowMs: () => number,
  ) {
    super({ ...KEYS });
  }

  /** An eventually consistent read, answered as of some time ago. */
  applyAsOf(asOfMs: number, command: string, input: Input, skips: Skips): Record<string, unknown> {
    const output = this.apply(command, input, skips);
    const asOf = (table: string, keys: readonly Item[]): Item[] =>
      keys.flatMap((key) => {
        const versions = this.versions.get(nameOf(table, key)) ?? [];
        const row = versions.findLast(({ t }) => t <= asOfMs)?.row;
        return row ? [structuredClone(row)] : [];
      });
    if (command === 'ScanCommand')
      return { ...output, Items: asOf(input.TableName as string, output.Items as Item[]) };
    const requests = input.RequestItems as Record<string, { Keys: Item[] }>;
    const unprocessed = output.UnprocessedKeys as Record<string, { Keys: Item[] }>;
    const Responses = Object.fromEntries(
      Object.entries(requests).map(([table, { Keys }]) => {
        const left = new Set((unprocessed[table]?.Keys ?? []).map((key) => nameOf(table, key)));
        return [
          table,
          asOf(
            table,
            Keys.filter((key) => !left.has(nameOf(table, key))),
          ),
        ];
      }),
    );
    return { ...output, Responses };
  }

  override apply(command: string, input: Input, skips: Skips): Record<string, unknown> {
    if (!/^(Put|Update|Delete|BatchWrite)Command$/.test(command)) return super.apply(command, input, skips);
    const written = writtenKeys(command, input);
    const before = written.map(({ table, key }) => this.row(table, key));
    const output = super.apply(command, input, skips);
    written.forEach(({ table, key }, index) => this.record(table, key, before[index], this.row(table, key)));
    return output;
  }

  private row(table: string, key: Item): Item | undefined {
    const { Item: row } = super.apply('GetCommand', { TableName: table, Key: key } as Input, () => false);
    return row as Item | undefined;
  }

  private record(table: string, key: Item, before: Item | undefined, after: Item | undefined): void {
    if (isDeepStrictEqual(before, after)) return;
    const name = nameOf(table, key);
    const versions = this.versions.get(name) ?? [];
    versions.push({ t: this.nowMs(), row: after });
    this.versions.set(name, versions);
    if (table === TABLES.executions && after) {
      if (isDeepStrictEqual({ ...before, heartbeatAtMs: 0 }, { ...after, heartbeatAtMs: 0 })) return;
      this.log.add({ src: 'table', type: 'execution', execution: executionOf(after) });
    }
    if (table === TABLES.jobs && !String(key.jobId).startsWith('#')) {
      const jobKey = jobKeyOf({ userId: String(key.userId), jobId: String(key.jobId) });
      this.log.add({ src: 'table', type: 'job', jobKey, job: after ? jobOf(after) : null });
    }
    if (table === TABLES.jobs && after && String(key.jobId).startsWith(HOLD)) {
      const jobKey = jobKeyOf({ userId: String(key.userId), jobId: String(key.jobId).slice(HOLD.length) });
      const { holder, sinceMs, waiter } = after as Hold;
      this.log.add({ src: 'table', type: 'hold', jobKey, hold: { holder, sinceMs, waiter } });
    }
    if (table === TABLES.schedule && String(key.bucket).startsWith(LINE)) this.recordLine(key, before, after);
    if (table === TABLES.schedule && after) {
      const entry = entryIn(after);
      if (entry) this.log.add({ src: 'table', type: 'entry', entry });
      else if (String(after.bucket).startsWith('#cursor#')) {
        const { kind, shard, minute, after: within, movedAtMs, busy } = after;
        const cursor = { kind, shard, minute, after: within, movedAtMs, busy } as Cursor;
        this.log.add({ src: 'table', type: 'cursor', cursor });
      }
    }
  }

  private recordLine(key: Item, before: Item | undefined, after: Item | undefined): void {
    const line = String(key.bucket);
    const row = (after ?? before)!;
    if (row.message !== undefined) {
      if (before && after) return; // nudged
      const { jobKey, execId } = JSON.parse(row.message as string) as ExecutionRef;
      const stands = after !== undefined;
      this.log.add({ src: 'table', type: 'place', line, sort: String(key.entry), stands, jobKey, execId });
    } else if (after && (before?.jobKey !== after.jobKey || before?.execId !== after.execId)) {
      const { jobKey, execId } = after as unknown as ExecutionRef;
      this.log.add({ src: 'table', type: 'turn', line, jobKey, execId });
    }
  }

  get jobs(): Job[] {
    return this.rows(TABLES.jobs)
      .filter(({ jobId }) => !String(jobId).startsWith('#'))
      .map((row) => jobOf(row));
  }

  get executions(): Execution[] {
    return this.rows(TABLES.executions).map((row) => executionOf(row));
  }

  get entries(): Entry[] {
    return this.rows(TABLES.schedule).flatMap((row) => entryIn(row) ?? []);
  }

  /** The number of shards in force. */
  get shards(): number {
    const row = this.rows(TABLES.schedule).find(({ bucket }) => bucket === SHARDS_KEY);
    return (row?.count as number | undefined) ?? 0;
  }

  get cursors(): Cursor[] {
    return this.rows(TABLES.schedule).filter(({ bucket }) =>
      String(bucket).startsWith('#cursor#'),
    ) as unknown as Cursor[];
  }
}

function writtenKeys(command: string, input: Input): { table: string; key: Item }[] {
  const keyOf = (table: string, item: Item): Item => {
    const { partition, sort } = KEYS[table]!;
    return { [partition]: item[partition]!, [sort]: item[sort]! };
  };
  if (command === 'BatchWriteCommand') {
    const requests = input.RequestItems as Record<string, { PutRequest: { Item: Item } }[]>;
    return Object.entries(requests).flatMap(([table, puts]) =>
      puts.map(({ PutRequest }) => ({ table, key: keyOf(table, PutRequest.Item) })),
    );
  }
  const table = input.TableName as string;
  return [{ table, key: keyOf(table, (input.Item ?? input.Key) as Item) }];
}

function nameOf(table: string, item: Item): string {
  const { partition, sort } = KEYS[table]!;
  return JSON.stringify([table, item[partition], item[sort]]);
}

const LINE = '#line#';
const HOLD = '#hold#';
const BUCKET = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)#(\d+)$/;

function entryIn(row: Item): Entry | undefined {
  const match = BUCKET.exec(String(row.bucket));
  if (!match) return undefined;
  const minute = Date.parse(`${match[1]}:00Z`) / 60_000;
  const shard = Number(match[2]);
  return bucketKeyOf(minute, shard) === row.bucket ? entryOf(row, minute, shard) : undefined;
}
