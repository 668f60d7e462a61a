import type { WorkMessage } from '../../lambdas/core/contracts/messages';
import { WORK_QUEUES } from '../../lambdas/core/contracts/work-keys';
import {
  bucketKeyOf,
  CONCURRENCY_KEYS,
  flowsKeyOf,
  jobKeyOf,
  ORDERING_QUEUES,
  OVERLAP_LOCKS,
  SHARDS_KEY,
  SLOTS,
} from '../../lambdas/core/contracts/tables';
import type { LimitedMessage } from '../../lambdas/core/contracts/messages';
import { ENDS } from '../../lambdas/core/contracts/journal-keys';
import { PING_ROWS } from '../../lambdas/core/contracts/ping-rows';
import { LABELS } from '../../lambdas/core/contracts/label-keys';
import type { ConcurrencyKey } from '../../lambdas/core/domain/concurrency-key';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import type { Entry } from '../../lambdas/core/domain/entry';
import { executionOf, refOfRow } from '../../lambdas/core/store/dynamo/executions/execution-row';
import { flowOf } from '../../lambdas/core/store/dynamo/dynamo-flow-store';
import { endsRowOf } from '../../lambdas/core/store/dynamo/dynamo-ends-journal';
import { jobOf } from '../../lambdas/core/store/dynamo/jobs/job-row';
import { entriesInRow } from '../../lambdas/core/store/dynamo/entries';
import { isStartLog, startLogOf } from '../../lambdas/core/store/dynamo/dynamo-concurrency-store';
import type { ExecutionRef } from '../../lambdas/core/store/execution-store';
import type { OverlapLock } from '../../lambdas/core/store/overlap-lock-store';
import type { Cursor } from '../../lambdas/core/store/schedule-store';
import type { EndRecord, TableRecord } from './log';
import { projectKeyRecordOf } from './pinged';
import { isSame } from './same';

type Row = Record<string, unknown>;
export type TableKind = 'jobs' | 'executions' | 'schedule';
/** The part of an end record that is in the tables. */
export type RowsLeft = Pick<EndRecord, 'jobs' | 'executions' | 'entries' | 'cursors' | 'shards'>;

/** A row before and after a write. */
export interface RowChange {
  kind: TableKind;
  key: Row;
  before: Row | undefined;
  after: Row | undefined;
  /** TTL has deleted it. */
  expired?: true;
}

const CURSORS = /^#cursors#(scan|sweep)#\d+$/;
const CURSOR = /^shard(\d+)$/;
const BUCKET = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)#(\d+)$/;

/** The records of a row's change for the checker: none, or mostly one. */
export function recordsOf(change: RowChange): TableRecord[] {
  if (isSame(change.before, change.after)) return [];
  if (change.kind === 'jobs') return ofJobs(change);
  return change.kind === 'executions' ? ofExecutions(change) : ofSchedule(change);
}

function ofJobs({ key, before, after, expired }: RowChange): TableRecord[] {
  const userId = String(key.userId);
  const name = String(key.jobId);
  if (!name.startsWith('#')) {
    const jobKey = jobKeyOf({ userId, jobId: name });
    const record = { src: 'table', type: 'job', jobKey, job: after ? jobOf(after) : null } as const;
    return [expired ? { ...record, expired } : record];
  }
  if (name.startsWith(CONCURRENCY_KEYS)) {
    const concurrencyKey = name.slice(CONCURRENCY_KEYS.length);
    const { limit, rate } = (after ?? {}) as Partial<ConcurrencyKey>;
    return [{ src: 'table', type: 'concurrency-key', userId, concurrencyKey, limit, rate }];
  }
  if (userId.startsWith(PING_ROWS)) return projectKeyRecordOf(before, after);
  if (!after || !name.startsWith(OVERLAP_LOCKS)) return [];
  const jobKey = jobKeyOf({ userId, jobId: name.slice(OVERLAP_LOCKS.length) });
  const { holder, sinceMs, waiter } = after as unknown as OverlapLock;
  return [{ src: 'table', type: 'overlap-lock', jobKey, lock: { holder, sinceMs, waiter } }];
}

function ofExecutions({ key, before, after }: RowChange): TableRecord[] {
  if (after && refOfRow(key).jobKey.startsWith(FLOWS)) return ofFlow(after);
  if (after && String(key.jobId).startsWith(`${ENDS}#`)) return ofEnds(after);
  if (after && String(key.jobId).startsWith(`${LABELS}#`)) return ofRunTag(key);
  if (!isOfExecution(key)) return [];
  if (!after || isSame({ ...before, heartbeatAtMs: 0 }, { ...after, heartbeatAtMs: 0 })) return [];
  return [{ src: 'table', type: 'execution', execution: executionOf(after) }];
}

const FLOWS = flowsKeyOf('');

function ofEnds(row: Row): TableRecord[] {
  const [, , userPart = ''] = String(row.jobId).split('#');
  const { items } = endsRowOf(row);
  return [{ src: 'table', type: 'ends', project: decodeURIComponent(userPart), ends: items }];
}

function ofRunTag(key: Row): TableRecord[] {
  const [, , userPart = '', runTag = ''] = String(key.jobId).split('#');
  const [execId = '', jobId = ''] = String(key.execId).split('#');
  return [
    {
      src: 'table',
      type: 'run-tag',
      jobKey: `${userPart}/${jobId}`,
      execId,
      runTag: decodeURIComponent(runTag),
    },
  ];
}

function ofFlow(row: Row): TableRecord[] {
  const { version, workflow } = flowOf(row);
  const jobKey = refOfRow(row).jobKey.slice(FLOWS.length);
  return [{ src: 'table', type: 'flow', jobKey, version, workflow }];
}

function ofSchedule(change: RowChange): TableRecord[] {
  const { key, after } = change;
  if (String(key.bucket).startsWith(ORDERING_QUEUES)) return ofOrdering(change);
  if (String(key.bucket).startsWith(SLOTS)) return ofSlots(change);
  if (String(key.bucket).startsWith(WORK_QUEUES)) return ofWorkQueue(change);
  if (!after) return [];
  const entries = entriesIn(after);
  if (entries.length > 0) return entries.map((entry) => ({ src: 'table', type: 'entry', entry }));
  const before = change.before ? cursorsIn(change.before) : [];
  return cursorsIn(after)
    .filter((cursor) => !before.some((old) => isSame(old, cursor)))
    .map((cursor) => ({ src: 'table', type: 'cursor', cursor }));
}

function ofWorkQueue({ key, before, after }: RowChange): TableRecord[] {
  if (before && before.message === after?.message) return []; // offered again
  const row = (after ?? before)!;
  const { jobKey, execId, dueAtMs, attempt, userRetries, startWithinMs, startAtMs } = JSON.parse(
    row.message as string,
  ) as WorkMessage;
  const { offerId, offeredAtMs } = row as { offerId: string; offeredAtMs: number };
  const message = { jobKey, execId, dueAtMs, attempt, userRetries, startWithinMs, startAtMs };
  const ticket = { ...message, offerId, offeredAtMs };
  const exists = after !== undefined;
  return [{ src: 'table', type: 'work-ticket', queue: String(key.bucket), exists, ...ticket }];
}

function ofOrdering({ key, before, after }: RowChange): TableRecord[] {
  const queue = String(key.bucket);
  const row = (after ?? before)!;
  if (row.message !== undefined) {
    if (before && after) return []; // sent again
    const { jobKey, execId } = JSON.parse(row.message as string) as ExecutionRef;
    const exists = after !== undefined;
    return [{ src: 'table', type: 'ticket', queue, sort: String(key.entry), exists, jobKey, execId }];
  }
  if (!after || (before?.jobKey === after.jobKey && before?.execId === after.execId)) return [];
  const { jobKey, execId } = after as unknown as ExecutionRef;
  return [{ src: 'table', type: 'key-holder', queue, jobKey, execId }];
}

function ofSlots({ key, before, after }: RowChange): TableRecord[] {
  const queue = String(key.bucket);
  if (isStartLog(key))
    return after ? [{ src: 'table', type: 'start-log', queue, starts: startLogOf(after).starts }] : [];
  const { message } = (after ?? before)!;
  if (message === undefined) return ofSlot({ queue, slot: String(key.entry) }, before, after);
  if (before && after) return [];
  const { jobKey, execId, dueAtMs } = JSON.parse(message as string) as LimitedMessage;
  const exists = after !== undefined;
  return [{ src: 'table', type: 'slot-ticket', queue, exists, jobKey, execId, dueAtMs }];
}

function ofSlot(slot: { queue: string; slot: string }, before?: Row, after?: Row): TableRecord[] {
  if (before?.takeId === after?.takeId) return [];
  const { jobKey, execId } = (after ?? {}) as Partial<ExecutionRef>;
  const holder = jobKey !== undefined && execId !== undefined ? { jobKey, execId } : null;
  return [{ src: 'table', type: 'slot', ...slot, holder }];
}

export const jobsIn = (rows: readonly Row[]): Job[] =>
  rows.filter(({ jobId }) => !String(jobId).startsWith('#')).map((row) => jobOf(row));

export const executionsIn = (rows: readonly Row[]): Execution[] =>
  rows.filter(isOfExecution).map((row) => executionOf(row));

/** Other partitions hold changes, audit records and secrets. Rows of fan-outs that are none have a `#`. */
const isOfExecution = (row: Row): boolean =>
  !refOfRow(row).jobKey.startsWith('#') && !String(row.execId).startsWith('#');

/** What is left in the tables, by their rows. */
export function rowsLeft(rowsOf: (kind: TableKind) => Row[]): RowsLeft {
  const schedule = rowsOf('schedule');
  const shardsRow = schedule.find(({ bucket }) => bucket === SHARDS_KEY);
  return {
    jobs: jobsIn(rowsOf('jobs')),
    executions: executionsIn(rowsOf('executions')),
    entries: schedule.flatMap(entriesIn),
    cursors: schedule.flatMap(cursorsIn),
    shards: (shardsRow?.count as number | undefined) ?? 0,
  };
}

/** The cursors in a row, which has those of several shards. */
function cursorsIn(row: Row): Cursor[] {
  const kind = CURSORS.exec(String(row.bucket))?.[1] as Cursor['kind'] | undefined;
  if (kind === undefined) return [];
  return Object.entries(row).flatMap(([name, stored]) => {
    const shard = CURSOR.exec(name)?.[1];
    return shard === undefined
      ? []
      : { kind, shard: Number(shard), ...(stored as Omit<Cursor, 'kind' | 'shard'>) };
  });
}

/** Whether a partition of Schedule holds entries. */
export const isBucketOfEntries = (bucket: unknown): boolean => BUCKET.test(String(bucket));

/** The entry of a row, or those of a pack. */
function entriesIn(row: Row): Entry[] {
  const match = BUCKET.exec(String(row.bucket));
  if (!match) return [];
  const minute = Date.parse(`${match[1]}:00Z`) / 60_000;
  const shard = Number(match[2]);
  return bucketKeyOf(minute, shard) === row.bucket ? (entriesInRow(row, minute, shard) ?? []) : [];
}
