import { execIdOfOccurrence } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import { check } from './checker';
import type { EndRecord, LogRecord, SimulationLog } from './log';
import { planOf } from './run-plan';
import { simulate } from './simulate';
import { type Invariant, INVARIANTS } from './violation';

/** Targets that fail now and then, and nothing else: a log with retries in it that breaks nothing. */
async function validLog(): Promise<SimulationLog> {
  const plan = planOf(46, 'liveness');
  const fault = { id: 0, kind: 'target-fails', fromMs: 60_000, untilMs: 240_000, rate: 0.3 } as const;
  const { log, violations } = await simulate({ ...plan, faults: [fault] });
  expect(violations).toEqual([]);
  return log;
}

type Mutable = LogRecord[];
const endOf = (records: Mutable) => records.at(-1) as EndRecord & LogRecord;

/** The end record's rows of the first execution that fits, and its id. */
function anExecution(records: Mutable, fits: (row: EndRecord['executions'][0]) => boolean) {
  const row = endOf(records).executions.find(fits);
  if (!row) throw new Error('the valid log has no such execution');
  return row;
}

/** Planned, and in no line: nobody's turn hangs on it. */
const isPlain = ({ status, execId, orderingKey }: EndRecord['executions'][0]) =>
  status === 'succeeded' && !execId.includes('-') && orderingKey === undefined;
const succeededOnce = (row: EndRecord['executions'][0]) =>
  isPlain(row) && row.attempts.length === 1 && row.fence === 1;
const succeededTwice = (row: EndRecord['executions'][0]) => isPlain(row) && row.attempts.length >= 2;

const isBegin = (record: LogRecord, { jobKey, execId }: { jobKey: string; execId: string }, fence = 1) =>
  record.src === 'target' &&
  record.type === 'begin' &&
  record.jobKey === jobKey &&
  record.execId === execId &&
  record.fence === fence;

const ofExecution = (record: LogRecord, { jobKey, execId }: { jobKey: string; execId: string }) =>
  record.src === 'table' &&
  record.type === 'execution' &&
  record.execution.jobKey === jobKey &&
  record.execution.execId === execId;

function beginOf(records: Mutable, row: { jobKey: string; execId: string }, fence = 1) {
  const found = records.find((record) => isBegin(record, row, fence));
  if (found?.src !== 'target' || found.type !== 'begin') throw new Error('the valid log has no such call');
  return found;
}

const allowsOverlap = (records: Mutable, jobKey: string): boolean =>
  records.some(
    (record) =>
      record.src === 'table' &&
      record.type === 'job' &&
      record.jobKey === jobKey &&
      record.job?.overlap === 'allow',
  );

/** Each takes a copy of the valid log and breaks one thing. */
const MUTATIONS: readonly [Invariant, string, (records: Mutable) => void][] = [
  [
    'lost',
    'a run is dropped, with all that tells of it',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const { call } = beginOf(records, row);
      const kept = records.filter(
        (record) => !ofExecution(record, row) && !(record.src === 'target' && record.call === call),
      );
      records.splice(0, records.length, ...kept);
      const end = endOf(records);
      end.executions = end.executions.filter((one) => one !== row);
    },
  ],
  [
    'unfinished',
    'a row never ends',
    (records) => {
      const row = anExecution(
        records,
        (one) =>
          succeededOnce(one) &&
          allowsOverlap(records, one.jobKey) &&
          one.dueAtMs < endOf(records).t - 620_000,
      );
      const last = records.findLastIndex((record) => ofExecution(record, row));
      records.splice(last, 1);
      Object.assign(row, { status: 'running', attempts: [], finishedAtMs: undefined });
      const { call } = beginOf(records, row);
      const end = records.findIndex(
        (record) => record.src === 'target' && record.type === 'end' && record.call === call,
      );
      records.splice(end, 1);
    },
  ],
  [
    'ghost',
    'a row is claimed for a time that nobody planned',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const ghost = { ...row, execId: row.execId.replace('Z', '1Z'), dueAtMs: row.dueAtMs + 1, attempts: [] };
      const ended = { ...ghost, status: 'skipped', reason: 'superseded' } as const;
      const claimAt = records.findIndex((record) => ofExecution(record, row));
      const { t } = records[claimAt]!;
      const states = [{ ...ghost, status: 'running', claimId: 'ghost' } as const, ended];
      records.splice(
        claimAt,
        0,
        ...states.map((execution) => ({ n: 0, t, src: 'table', type: 'execution', execution }) as const),
      );
      endOf(records).executions.push(ended);
    },
  ],
  [
    'one-execution',
    'one that was on record as skipped, in a stretch, runs',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const fromMs = row.dueAtMs - 1;
      const stretch = {
        ...row,
        execId: execIdOfOccurrence(fromMs),
        dueAtMs: fromMs,
        status: 'skipped',
        reason: 'superseded',
        fence: 0,
        attempts: [],
        startedAtMs: undefined,
        skipped: { fromMs, toMs: row.dueAtMs, count: 2 },
      } as const satisfies Execution;
      const claimAt = records.findIndex((record) => ofExecution(record, row));
      const { t } = records[claimAt]!;
      records.splice(claimAt, 0, { n: 0, t, src: 'table', type: 'execution', execution: stretch });
      endOf(records).executions.push(stretch);
    },
  ],
  [
    'lease',
    'a call is made after its lease was taken over',
    (records) => {
      const overOf = (row: EndRecord['executions'][0]) =>
        records.find(
          (record) =>
            ofExecution(record, row) &&
            record.src === 'table' &&
            record.type === 'execution' &&
            record.execution.status === 'retrying',
        )!;
      const row = anExecution(
        records,
        (one) => succeededTwice(one) && beginOf(records, one, 2).t > overOf(one).t + 1_001,
      );
      const begin = beginOf(records, row);
      begin.t = overOf(row).t + 1_001;
      const end = records.find(
        (record) => record.src === 'target' && record.type === 'end' && record.call === begin.call,
      )!;
      end.t = begin.t;
    },
  ],
  [
    'fence',
    'a claim leaves a fence out',
    (records) => {
      const row = anExecution(records, succeededTwice);
      const raise = (one: { fence: number; attempts?: { fence: number }[] }) => {
        if (one.fence === 2) one.fence = 3;
        for (const attempt of one.attempts ?? []) if (attempt.fence === 2) attempt.fence = 3;
      };
      raise(row);
      raise(beginOf(records, row, 2));
      for (const record of records) {
        if (ofExecution(record, row) && record.src === 'table' && record.type === 'execution')
          raise(record.execution);
      }
    },
  ],
  [
    'fence',
    'two fences are swapped',
    (records) => {
      const row = anExecution(records, succeededTwice);
      const swapped = (fence: number) => (fence === 1 ? 2 : fence === 2 ? 1 : fence);
      const swap = (one: { fence: number; attempts?: { fence: number }[] }) => {
        one.fence = swapped(one.fence);
        for (const attempt of one.attempts ?? []) attempt.fence = swapped(attempt.fence);
      };
      const begins = [beginOf(records, row), beginOf(records, row, 2)];
      for (const one of [row, ...begins]) swap(one);
      for (const record of records) {
        if (ofExecution(record, row) && record.src === 'table' && record.type === 'execution')
          swap(record.execution);
      }
    },
  ],
  [
    'fence',
    'a run is added',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const begin = beginOf(records, row);
      const end = records.find(
        (record) => record.src === 'target' && record.type === 'end' && record.call === begin.call,
      )!;
      const again = [
        { ...begin, call: 1_000_000, t: end.t },
        { ...end, call: 1_000_000 },
      ] as LogRecord[];
      records.splice(records.indexOf(end) + 1, 0, ...again);
    },
  ],
  [
    'overlap',
    'an execution goes on while the next of its job is called',
    (records) => {
      const runs = endOf(records)
        .executions.filter((row) => succeededOnce(row) && !allowsOverlap(records, row.jobKey))
        .sort((one, other) => beginOf(records, one).t - beginOf(records, other).t);
      const nextOf = (row: EndRecord['executions'][0]) =>
        runs.find((one, index) => index > runs.indexOf(row) && one.jobKey === row.jobKey);
      const row = runs.find((one) => nextOf(one))!;
      const last = records.findLast((record) => ofExecution(record, row))!;
      last.t = beginOf(records, nextOf(row)!).t + 1;
    },
  ],
  [
    'key-apart',
    'an execution goes on while the next of its ordering key is called',
    (records) => {
      const runs = endOf(records)
        .executions.filter((row) => row.status === 'succeeded' && row.orderingKey !== undefined)
        .sort((one, other) => beginOf(records, one).t - beginOf(records, other).t);
      const userOf = ({ jobKey }: { jobKey: string }) => jobKey.split('/')[0];
      const at = runs.findIndex(
        (row, index) =>
          runs[index + 1] !== undefined &&
          runs[index + 1]!.jobKey !== row.jobKey &&
          userOf(runs[index + 1]!) === userOf(row),
      );
      const last = records.findLast((record) => ofExecution(record, runs[at]!))!;
      last.t = beginOf(records, runs[at + 1]!).t + 1;
    },
  ],
  [
    'key-order',
    'one takes the turn of its ordering key while another stands ahead',
    (records) => {
      const turn = records.findLast((record) => record.src === 'table' && record.type === 'turn')!;
      if (turn.src !== 'table' || turn.type !== 'turn') return;
      const ahead = { line: turn.line, jobKey: turn.jobKey, execId: 'ahead', sort: '0', stands: true };
      const t = turn.t - 1_000_000;
      records.splice(0, 0, { n: 0, t, src: 'table', type: 'place', ...ahead });
    },
  ],
  [
    'reason',
    'one that ran in time is called a misfire',
    (records) => {
      Object.assign(anExecution(records, succeededOnce), { status: 'skipped', reason: 'misfire' });
    },
  ],
  [
    'delivery-id',
    "a call bears the id of another user's execution",
    (records) => {
      const row = anExecution(records, succeededOnce);
      const other = anExecution(records, (one) => succeededOnce(one) && one.jobKey !== row.jobKey);
      beginOf(records, row).deliveryId = beginOf(records, other).deliveryId;
    },
  ],
  [
    'attempts-apart',
    'an end is stretched over the next begin',
    (records) => {
      const row = anExecution(records, succeededTwice);
      const { call } = beginOf(records, row);
      const end = records.find(
        (record) => record.src === 'target' && record.type === 'end' && record.call === call,
      )!;
      end.t = beginOf(records, row, 2).t + 1;
    },
  ],
  [
    'early',
    'a run begins before its time',
    (records) => {
      const row = anExecution(records, succeededOnce);
      beginOf(records, row).offsetMs -= 60_000;
    },
  ],
  [
    'late',
    'a run begins two minutes after its time',
    (records) => {
      const healed = records.find(({ src, type }) => src === 'run' && type === 'healed')!;
      const row = anExecution(
        records,
        (one) =>
          succeededOnce(one) &&
          allowsOverlap(records, one.jobKey) &&
          one.dueAtMs > healed.t + 400_000 &&
          one.dueAtMs < endOf(records).t - 300_000,
      );
      const { call } = beginOf(records, row);
      for (const record of records) {
        const moves = ofExecution(record, row) || (record.src === 'target' && record.call === call);
        if (moves) record.t += 120_000;
      }
    },
  ],
  [
    'history',
    'a record of an attempt is removed',
    (records) => {
      anExecution(records, succeededOnce).attempts = [];
    },
  ],
  [
    'transition',
    'a terminal state is userRetried',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const last = records.findLastIndex((record) => ofExecution(record, row));
      const again = structuredClone(records[last]!);
      if (again.src === 'table' && again.type === 'execution') again.execution.status = 'failed';
      records.splice(last + 1, 0, again);
    },
  ],
  [
    'attempts',
    'an attempt is counted twice over',
    (records) => {
      const row = anExecution(records, succeededTwice);
      row.attempts.at(-1)!.attempt += 1;
    },
  ],
  [
    'success-kept',
    'a success is written down as a failure',
    (records) => {
      anExecution(records, succeededOnce).attempts[0]!.outcome = 'retriable';
    },
  ],
  [
    'order',
    'an attempt ends before it began',
    (records) => {
      anExecution(records, succeededOnce).attempts[0]!.finishedAtMs -= 600_000;
    },
  ],
  [
    'future-entry',
    "an active job's next entry is missing",
    (records) => {
      const end = endOf(records);
      end.entries = end.entries.filter((entry) => entry.checkAtMs < end.t);
    },
  ],
  [
    'cursor',
    'a cursor is left behind',
    (records) => {
      endOf(records).cursors[0]!.minute -= 10;
    },
  ],
  [
    'behind-the-sweep',
    'an entry is written where nobody looks any more',
    (records) => {
      const written = records.findLast((record) => record.src === 'table' && record.type === 'entry')!;
      const late = structuredClone(written);
      if (late.src === 'table' && late.type === 'entry') late.entry.checkAtMs -= 3_600_000;
      records.splice(-1, 0, late);
    },
  ],
  [
    'drained',
    'a message waits and waits',
    (records) => {
      endOf(records).queued = { count: 1, oldestMs: 90_000 };
    },
  ],
  [
    'obeyed',
    'a job is called after it was deleted',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const claim = records.findIndex((record) => ofExecution(record, row));
      const { t } = records[claim]!;
      const versions = records.filter(
        (record) =>
          record.src === 'table' && record.type === 'job' && record.jobKey === row.jobKey && record.t < t,
      );
      const before = versions.at(-1)!;
      records.splice(claim, 0, { ...before, n: 0, t: t - 1, job: null } as LogRecord);
      // Made again at once after the call, so that nothing else is missing.
      const end = records.findLastIndex((record) => ofExecution(record, row));
      records.splice(end + 1, 0, { ...before, t: records[end]!.t } as LogRecord);
    },
  ],
  [
    'payload',
    'a call bears the body of another definition',
    (records) => {
      beginOf(records, anExecution(records, succeededOnce)).stamp = 's999';
    },
  ],
  [
    'acknowledged',
    'an answer names a change that is not in the table',
    (records) => {
      const answer = records.find(
        (record) => record.src === 'api' && record.type === 'ok' && record.operation === 'createJob',
      );
      if (answer?.src === 'api') answer.etag = 'forged';
    },
  ],
  [
    'run-now',
    'an accepted manual run left no record',
    (records) => {
      const answer = records.find(
        (record) => record.src === 'api' && record.type === 'ok' && record.operation === 'runJob',
      );
      if (answer?.src === 'api') answer.execId = '20261201T080000.000Z-forged';
    },
  ],
  [
    'event',
    'an end is published before it is written',
    (records) => {
      const published = records.findIndex((record) => record.src === 'event');
      const [event] = records.splice(published, 1);
      records.splice(0, 0, { ...event!, t: records[0]!.t });
    },
  ],
];

test('every invariant has its mutation', () => {
  expect(new Set(MUTATIONS.map(([invariant]) => invariant))).toEqual(new Set(INVARIANTS));
});

describe('the checker names exactly the invariant that a log breaks', () => {
  let valid: SimulationLog;
  beforeAll(async () => {
    valid = await validLog();
  });

  test.each(MUTATIONS)('%s: %s', (invariant, _, mutate) => {
    // Most mutations change executions, so their events would no longer be true.
    const records = structuredClone(valid.records).filter(
      ({ src }) => invariant === 'event' || src !== 'event',
    ) as LogRecord[];
    mutate(records);
    const broken = new Set(check({ ...valid, records }).map((violation) => violation.invariant));
    expect([...broken]).toEqual([invariant]);
  });
});
