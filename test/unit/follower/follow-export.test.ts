import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

import type { Execution } from '../../../lambdas/core/domain/execution';
import type { ExecutionChange } from '../../../lambdas/core/store/execution-stream';
import { follow } from '../../../lambdas/follower/follow';
import { anExecution, T0_MS } from '../../support/factories';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';
import { apiSurroundings } from '../../support/surroundings';

const HOUR_MS = 3_600_000;
const running = (more: Partial<Execution> = {}) => anExecution({ status: 'running', ...more });
const ended = (more: Partial<Execution> = {}) =>
  anExecution({ status: 'succeeded', finishedAtMs: T0_MS + 900, ...more });

type Change = [before: Execution | undefined, after: Execution | undefined];
type Line = Record<string, unknown>;

const changesOf = (changes: readonly Change[]): ExecutionChange[] =>
  changes.map(([before, after], index) => ({
    name: `event-id-of-${String(index).padStart(8, '0')}`,
    sequence: String(100 + index),
    atMs: T0_MS,
    before,
    after,
  }));

/** A bucket. `fails`: names of objects that it does not take. */
function aBucket(fails = /^$/) {
  const objects = new Map<string, Line[]>();
  const bytes = new Map<string, string>();
  const log = new RecordingLog();
  const archive = {
    async put(name: string, body: Buffer) {
      if (fails.test(name)) throw new Error('503');
      bytes.set(name, body.toString('base64'));
      const lines = gunzipSync(body).toString().trimEnd().split('\n');
      objects.set(
        name,
        lines.map((line) => JSON.parse(line) as Line),
      );
    },
  };
  const exportIt = (
    changes: readonly ExecutionChange[],
    more: { partitionBy?: 'project'; include?: ('payload' | 'output')[] } = {},
  ) =>
    follow(changes, {
      history: {
        ...{ archive, secret: apiSurroundings.secret, partitionBy: 'none', include: [] },
        ...more,
      },
      log,
      meter: new RecordingMeter(),
      clock: { nowMs: () => T0_MS },
      retentionDays: 30,
    });
  return { objects, bytes, log, exportIt, lines: () => [...objects.values()].flat() };
}

test('an end is a line with every column', async () => {
  const { objects, exportIt } = aBucket();
  const end = ended({
    ...{ fence: 3, userRetries: 1, runTags: ['customer:42'], externalId: 'order-1' },
    ...{ result: { statusCode: 200, body: 'ok' }, payload: { value: 1 } },
  });
  expect(await exportIt(changesOf([[running(), end]]))).toEqual({});
  const parts = ['alice', 'nightly-report', end.execId, 1, 3];
  expect([...objects]).toEqual([
    [
      'ends/day=2026-12-01/hour=08/100-00000000-1.jsonl.gz',
      [
        {
          v: 1,
          key: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
          version: 0,
          project: 'alice',
          jobId: 'nightly-report',
          execId: end.execId,
          taskId: null,
          trigger: 'schedule',
          status: 'succeeded',
          reason: null,
          dueAt: '2026-12-01T08:30:00.000Z',
          startedAt: '2026-12-01T08:30:00.020Z',
          finishedAt: '2026-12-01T08:30:00.900Z',
          attempts: 1,
          fence: 3,
          userRetries: 1,
          statusCode: 200,
          durationMs: 880,
          latenessMs: 20,
          tags: null,
          runTags: ['customer:42'],
          externalId: 'order-1',
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
          skipped: null,
        },
      ],
    ],
  ]);
});

test('what ended before it began, by another clock, took no time', async () => {
  const { exportIt, lines } = aBucket();
  const startedAtMs = T0_MS + 1_500;
  await exportIt(changesOf([[running(), ended({ startedAtMs, finishedAtMs: startedAtMs - 667 })]]));
  expect(lines()).toMatchObject([{ startedAt: '2026-12-01T08:30:01.500Z', durationMs: 0 }]);
});

test('tasks have the id of their run, and what hidden jobs do is left out', async () => {
  const { exportIt, lines } = aBucket();
  const run = '20261201T083000.000Z';
  await exportIt(
    changesOf([
      [running(), ended({ execId: `${run}/load~2` })],
      [running(), ended({ jobKey: 'alice/~n-ops' })],
      [undefined, running()],
      [ended(), ended({ lateResults: [] })],
    ]),
  );
  expect(lines()).toMatchObject([{ execId: run, taskId: 'load~2', traceId: null }]);
});

test('a range that grows has the same key, and a higher version', async () => {
  const { exportIt, lines } = aBucket();
  const range = (count: number) =>
    ended({ status: 'skipped', skipped: { fromMs: T0_MS, toMs: T0_MS + count * 60_000, count } });
  await exportIt(
    changesOf([
      [undefined, range(1)],
      [range(1), range(2)],
    ]),
  );
  const [first, second] = lines();
  expect(second).toMatchObject({ key: first!.key, version: 2, skipped: { count: 2 } });
  expect(first!.version).toBe(1);
});

test('each hour of an end has an object, and each project has a folder if that is wanted', async () => {
  const { objects, exportIt } = aBucket();
  const at = (finishedAtMs: number, jobKey = 'alice/a') => ended({ finishedAtMs, jobKey });
  const changes = changesOf([
    [running(), at(T0_MS)],
    [running(), at(T0_MS + HOUR_MS, 'b%2Fob/a')],
    [running(), at(T0_MS + 1)],
  ]);
  await exportIt(changes);
  await exportIt(changes, { partitionBy: 'project' });
  expect([...objects.keys()]).toEqual([
    'ends/day=2026-12-01/hour=08/100-00000000-2.jsonl.gz',
    'ends/day=2026-12-01/hour=09/101-00000001-1.jsonl.gz',
    'ends/project=alice/day=2026-12-01/hour=08/100-00000000-2.jsonl.gz',
    'ends/project=b%2Fob/day=2026-12-01/hour=09/101-00000001-1.jsonl.gz',
  ]);
});

test('a batch that comes again replaces its object; cut shorter, it replaces none with more lines', async () => {
  const { objects, bytes, exportIt } = aBucket();
  const changes = changesOf([
    [running(), ended()],
    [running(), ended({ jobKey: 'alice/b' })],
  ]);
  await exportIt(changes);
  const [name, before] = [...bytes][0]!;
  await exportIt(changes);
  expect([...bytes]).toEqual([[name, before]]);
  await exportIt(changes.slice(0, 1));
  expect(objects.get(name)).toHaveLength(2);
});

test('from the first end on that was not exported, the stream brings the changes again', async () => {
  const { exportIt, log } = aBucket(/hour=09/);
  const answer = await exportIt(
    changesOf([
      [running(), ended()],
      [running(), ended({ finishedAtMs: T0_MS + HOUR_MS })],
      [running(), ended()],
    ]),
  );
  expect(answer).toEqual({ failedFrom: '101' });
  expect(log.messages('error')).toEqual(['ends were not exported; the stream brings them again']);
});

test('payload and output are columns only if they are asked for', async () => {
  const { exportIt, lines } = aBucket();
  const end = ended({ payload: { value: { order: 1 } }, output: '{"rows":2}' });
  await exportIt(changesOf([[running(), end]]), { include: ['payload', 'output'] });
  expect(lines()).toMatchObject([{ payload: { order: 1 }, output: { rows: 2 } }]);
});

test('a batch without an end asks for no secret, and writes nothing', async () => {
  const { objects, exportIt } = aBucket();
  await exportIt(changesOf([[ended(), undefined]]));
  expect(objects.size).toBe(0);
});
