import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { isLaterEnd, type JournalEnd } from '../../../lambdas/core/domain/journal-end';
import type { EndsRow } from '../../../lambdas/core/store/ends-journal';
import type { ExecutionChange } from '../../../lambdas/core/store/execution-stream';
import { follow, journalStart } from '../../../lambdas/follower/follow';
import { anExecution, T0_MS } from '../../support/factories';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';

const running = (more: Partial<Execution> = {}) => anExecution({ status: 'running', ...more });
const ended = (more: Partial<Execution> = {}) =>
  anExecution({ status: 'succeeded', finishedAtMs: T0_MS + 900, expiresAtSec: 1_800_000_000, ...more });

const changesOf = (
  ...changes: [before: Execution | undefined, after: Execution | undefined][]
): ExecutionChange[] =>
  changes.map(([before, after], index) => ({
    name: `event-${index}`,
    sequence: String(100 + index),
    atMs: T0_MS + index,
    before,
    after,
  }));

/** A journal in memory. Rows with the same keys replace each other. */
function aJournal(fails: (row: EndsRow) => boolean = () => false) {
  const rows = new Map<string, EndsRow>();
  const log = new RecordingLog();
  const journal = {
    begin: async () => undefined,
    async put(row: EndsRow) {
      if (fails(row)) throw new Error('throttled');
      rows.set(`${row.userPart} ${row.day} ${row.throughMs} ${row.name}`, row);
    },
  };
  const deps = {
    journal,
    log,
    meter: new RecordingMeter(),
    clock: { nowMs: () => T0_MS + 5_000 },
    retentionDays: 30,
  };
  return { rows, log, follow: (changes: readonly ExecutionChange[]) => follow(changes, deps) };
}

const idsIn = (rows: ReadonlyMap<string, EndsRow>) =>
  [...rows.values()].flatMap(({ ends }) => ends.map(({ execId }) => execId)).toSorted();

test.each<[what: string, before: Execution | undefined, after: Execution | undefined, isEnd: boolean]>([
  ['the first row of a skip', undefined, ended({ status: 'skipped' }), true],
  ['a finish', running(), ended(), true],
  ['a claim', undefined, running(), false],
  ['a user retry', ended(), running({ userRetries: 1 }), false],
  ['an end after a user retry', running({ userRetries: 1 }), ended({ userRetries: 1 }), true],
  ['an execution that was retried and ended between two images', ended(), ended({ userRetries: 1 }), true],
  ['a removal by TTL', ended(), undefined, false],
  ['a late result', ended(), ended({ lateResults: [] }), false],
  [
    'a skipped range that grows',
    ended({ status: 'skipped', skipped: { fromMs: T0_MS, toMs: T0_MS, count: 1 } }),
    ended({ status: 'skipped', skipped: { fromMs: T0_MS, toMs: T0_MS + 60_000, count: 2 } }),
    true,
  ],
  ['a task of a run', running({ execId: 'x/load' }), ended({ execId: '20261201T083000.000Z/load' }), false],
  ['a message of a notification', undefined, ended({ jobKey: 'alice/~n-ops' }), false],
])('of what changes, %s: an end in the journal is %#', async (_, before, after, isEnd) => {
  const { rows, follow } = aJournal();
  expect(await follow(changesOf([before, after]))).toEqual({});
  expect(rows.size).toBe(isEnd ? 1 : 0);
});

test('ends are apart by project, and by the day of their execIds', async () => {
  const { rows, follow } = aJournal();
  const other = jobKeyOf({ userId: 'b/ob', jobId: 'nightly' });
  const late = { execId: '20261130T235900.000Z', dueAtMs: Date.UTC(2026, 10, 30, 23, 59) };
  await follow(
    changesOf([running(), ended()], [running(), ended({ jobKey: other })], [undefined, ended(late)]),
  );
  expect([...rows.values()].map(({ userPart, day }) => [userPart, day])).toEqual([
    [expect.any(String), '20261201'],
    ['b%2Fob', '20261201'],
    [expect.any(String), '20261130'],
  ]);
});

test('no end of a row is later than its key says, nor does an execId name a later time', async () => {
  const { rows, follow } = aJournal();
  const cancelledAhead = ended({ status: 'cancelled', dueAtMs: T0_MS + 60_000, finishedAtMs: T0_MS });
  await follow(changesOf([running(), ended({ finishedAtMs: T0_MS + 30_000 })], [undefined, cancelledAhead]));
  expect([...rows.values()].map(({ throughMs }) => throughMs)).toEqual([T0_MS + 60_000]);
});

test('a batch that comes again replaces its rows, whatever became of it the first time', async () => {
  const { rows, follow } = aJournal();
  const many = Array.from({ length: 450 }, (_, index) => ended({ execId: `20261201T083000.000Z-${index}` }));
  const changes = changesOf(...many.map((one) => [running(), one] as [Execution, Execution]));
  await follow(changes);
  const [names, ids] = [[...rows.keys()], idsIn(rows)];
  await follow(changes);
  expect([...rows.keys()]).toEqual(names);
  expect([...rows.values()].map(({ ends }) => ends.length)).toEqual([200, 200, 50]);
  expect(idsIn(rows)).toEqual(ids);
  expect(ids).toHaveLength(450);
});

test('a late write of a shorter batch takes no end from the journal', async () => {
  const { rows, follow } = aJournal();
  const both = ['-a', '-b'].map((name) => ended({ execId: `20261201T083000.000Z${name}` }));
  const changes = changesOf(...both.map((one) => [running(), one] as [Execution, Execution]));
  await follow(changes);
  await follow(changes.slice(0, 1));
  expect(new Set(idsIn(rows))).toEqual(new Set(both.map(({ execId }) => execId)));
});

test('from the first end that was not written, the batch comes again', async () => {
  const { rows, log, follow } = aJournal(({ day }) => day === '20261130');
  const late = { execId: '20261130T235900.000Z', dueAtMs: Date.UTC(2026, 10, 30, 23, 59) };
  const changes = changesOf([undefined, running()], [running(), ended()], [running(), ended(late)]);
  expect(await follow(changes)).toEqual({ failedFrom: '102' });
  expect(idsIn(rows)).toEqual(['20261201T083000.000Z']);
  expect(log.messages('error')).toEqual(['ends were not written; the stream brings them again']);
});

test('since when the journal has every end is said once a process, by the first change of the stream', async () => {
  const said: unknown[] = [];
  const begin = journalStart({ begin: async (...what) => void said.push(what) });
  await begin([], 'arn:1');
  await begin(changesOf([undefined, running()], [undefined, running()]), 'arn:1');
  await begin(changesOf([undefined, running()]), 'arn:1');
  await begin(changesOf([undefined, running()]), 'arn:2');
  expect(said).toEqual([
    ['arn:1', T0_MS],
    ['arn:2', T0_MS],
  ]);
});

test.each<[one: Partial<JournalEnd>, other: Partial<JournalEnd>, isLater: boolean]>([
  [{ fence: 2 }, { fence: 1 }, true],
  [{ fence: 1 }, { fence: 1 }, false],
  [{ fence: 1, userRetries: 1 }, { fence: 3 }, true],
  [{ fence: 3 }, { fence: 1, userRetries: 1 }, false],
  [
    { fence: 0, skipped: { fromMs: 0, toMs: 1, count: 2 } },
    { fence: 0, skipped: { fromMs: 0, toMs: 0, count: 1 } },
    true,
  ],
])('of two ends of an execution, %j came after %j: %s', (one, other, isLater) => {
  expect(isLaterEnd(one as JournalEnd, other as JournalEnd)).toBe(isLater);
});
