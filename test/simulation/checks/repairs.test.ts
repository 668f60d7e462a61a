import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import type { Entry } from '../../../lambdas/core/domain/entry';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { aJob, anAttemptEntry, anExecution, anOccurrenceEntry, T0_MS } from '../../support/factories';
import type { AuditRecord, Happening, LogRecord, TableRecord } from '../log';
import { checkRepairs } from './repairs';

const MINUTE_MS = 60_000;
const job = aJob();
const jobKey = `${job.userId}/${job.jobId}`;
const execId = execIdOfOccurrence(T0_MS);
const REPAIRED_AT_MS = T0_MS + 40 * MINUTE_MS;

const at = (t: number, happening: Happening): LogRecord => ({ n: 0, t, ...happening });
const isActive = at(T0_MS, { src: 'table', type: 'job', jobKey, job });
const inTable = (record: TableRecord) => at(T0_MS, record);
const row = (own: Partial<Execution>) =>
  inTable({ src: 'table', type: 'execution', execution: anExecution({ jobKey, execId, ...own }) });
const entry = (one: Entry) => inTable({ src: 'table', type: 'entry', entry: one });
const sweptTo = (ms: number) => {
  const cursor = { kind: 'sweep' as const, shard: 0, minute: Math.floor(ms / MINUTE_MS), after: '' };
  const moved = { ...cursor, movedAtMs: ms, entriesInLastBucket: 0 } as const;
  return inTable({ src: 'table', type: 'cursor', cursor: moved });
};
const swept = sweptTo(REPAIRED_AT_MS);
const stopped = at(T0_MS, { src: 'operator', type: 'tick', to: 'off' });
const started = at(T0_MS, { src: 'operator', type: 'tick', to: 'on' });

const repaired = (own: Partial<AuditRecord>): LogRecord =>
  at(REPAIRED_AT_MS, {
    src: 'auditor',
    type: 'repaired',
    what: 'series',
    jobKey,
    sinceMs: REPAIRED_AT_MS - 100,
    filed: [],
    queued: [],
    ...own,
  });
const series = repaired({});
const filedAgain = anAttemptEntry({ jobKey, execId, checkAtMs: REPAIRED_AT_MS });
const history = repaired({ what: 'history', missed: 1, filed: [filedAgain] });

const brokenBy = (records: LogRecord[], restored?: { tables: 'jobs' | 'executions' | 'all'; atMs: number }) =>
  checkRepairs({ records: [isActive, ...records], restored: restored as never }).map(
    ({ invariant }) => invariant,
  );

const next = anOccurrenceEntry({ jobKey, revision: job.revision, checkAtMs: REPAIRED_AT_MS - MINUTE_MS });
const retried = anAttemptEntry({ jobKey, execId, checkAtMs: REPAIRED_AT_MS - MINUTE_MS });

describe('a series', () => {
  test('is lost if the sweep has passed all of its entries', () => {
    expect(brokenBy([entry(next), swept, series])).toEqual(['repaired']);
  });

  test('is lost if only another revision, or a missed occurrence, has an entry ahead', () => {
    const others = [entry({ ...next, revision: 'other' }), entry({ ...next, catchUp: true })];
    expect(brokenBy([...others, sweptTo(T0_MS), series])).toEqual(['repaired']);
  });

  test('is not lost while the sweep has yet to recheck an entry of it', () => {
    expect(brokenBy([entry(next), sweptTo(T0_MS), series])).toEqual(['repaired-without-loss']);
  });

  test('is lost if its entry came only after the auditor had begun', () => {
    const late = at(REPAIRED_AT_MS - 50, { src: 'table', type: 'entry', entry: next });
    expect(brokenBy([sweptTo(T0_MS), late, series])).toEqual(['repaired']);
  });

  test('is not lost in maintenance mode', () => {
    expect(brokenBy([swept, stopped, series])).toEqual(['repaired-without-loss']);
    expect(brokenBy([swept, stopped, started, series])).toEqual(['repaired']);
  });

  test.each([
    ['paused', { ...job, status: 'paused' as const }],
    ['deleted', null],
  ])('is not lost if its job is %s', (_, changed) => {
    const change = inTable({ src: 'table', type: 'job', jobKey, job: changed });
    expect(brokenBy([swept, change, series])).toEqual(['repaired-without-loss']);
  });
});

describe('an execution', () => {
  test('is lost if nothing is left of it but its row', () => {
    expect(brokenBy([row({ status: 'retrying' }), entry(retried), swept, history])).toEqual(['repaired']);
  });

  test.each<[string, LogRecord[], LogRecord]>([
    ['has ended', [row({ status: 'succeeded' }), swept], history],
    ['has an entry ahead', [row({ status: 'retrying' }), entry(retried), sweptTo(T0_MS)], history],
    [
      'has a message',
      [row({ status: 'queued' }), swept],
      repaired({ ...history, queued: [execId] } as never),
    ],
    [
      'waits for its ordering key',
      [inTable({ src: 'table', type: 'ticket', queue: 'q', sort: '1', exists: true, jobKey, execId }), swept],
      history,
    ],
    [
      'waits for its job',
      [inTable({ src: 'table', type: 'overlap-lock', jobKey, lock: { waiter: execId } })],
      history,
    ],
    ['is held by its user', [row({ status: 'running', run: { heldAtMs: T0_MS } as never }), swept], history],
  ])('is not lost if it %s', (_, records, repair) => {
    expect(brokenBy([...records, repair])).toEqual(['repaired-without-loss']);
  });

  test('is lost if its ticket is gone', () => {
    const ticket = (exists: boolean) =>
      inTable({ src: 'table', type: 'slot-ticket', queue: 'q', exists, jobKey, execId, dueAtMs: T0_MS });
    expect(brokenBy([ticket(true), swept, history])).toEqual(['repaired-without-loss']);
    expect(brokenBy([ticket(true), ticket(false), swept, history])).toEqual(['repaired']);
  });

  test('is not counted beside another that is lost', () => {
    const other = { ...filedAgain, execId: execIdOfOccurrence(T0_MS + MINUTE_MS) };
    const both = (missed: number) => repaired({ what: 'history', missed, filed: [filedAgain, other] });
    const ended = row({ status: 'succeeded' });
    expect(brokenBy([ended, swept, both(2)])).toEqual(['repaired-without-loss']);
    expect(brokenBy([ended, swept, both(1)])).toEqual(['repaired']);
  });
});

describe('by design', () => {
  const restoredAtMs = T0_MS + 20 * MINUTE_MS;
  const cameBack = at(restoredAtMs, {
    src: 'table',
    type: 'job',
    jobKey,
    job: { ...job, revision: 'earlier' },
  });

  test('a series is lost whose job came back alone', () => {
    const restored = { tables: 'jobs', atMs: restoredAtMs } as const;
    expect(brokenBy([swept, cameBack, series], restored)).toEqual([]);
    expect(brokenBy([swept, series], restored)).toEqual(['repaired']);
    expect(brokenBy([swept, cameBack, history], restored)).toEqual(['repaired']);
  });

  test('a record is lost if Executions came back alone', () => {
    const restored = { tables: 'executions', atMs: restoredAtMs } as const;
    expect(brokenBy([swept, history], restored)).toEqual([]);
    expect(brokenBy([swept, series], restored)).toEqual(['repaired']);
  });

  test('nothing is lost if all tables came back', () => {
    const restored = { tables: 'all', atMs: restoredAtMs } as const;
    expect(brokenBy([swept, cameBack, series], restored)).toEqual(['repaired']);
  });
});
