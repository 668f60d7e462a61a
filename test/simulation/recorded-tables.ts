import { isDeepStrictEqual } from 'node:util';

import { bucketKeyOf, jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { Entry } from '../../lambdas/core/domain/entry';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import { executionOf } from '../../lambdas/core/store/dynamo/executions/execution-row';
import { jobOf } from '../../lambdas/core/store/dynamo/jobs/job-row';
import { entryOf } from '../../lambdas/core/store/dynamo/schedule/entry-row';
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
  constructor(private readonly log: EventLog) {
    super({ ...KEYS });
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

const HOLD = '#hold#';
const BUCKET = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)#(\d+)$/;

function entryIn(row: Item): Entry | undefined {
  const match = BUCKET.exec(String(row.bucket));
  if (!match) return undefined;
  const minute = Date.parse(`${match[1]}:00Z`) / 60_000;
  const shard = Number(match[2]);
  return bucketKeyOf(minute, shard) === row.bucket ? entryOf(row, minute, shard) : undefined;
}
