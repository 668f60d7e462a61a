import type { Execution } from '../../../lambdas/core/domain/execution';
import type { ExecutionChange } from '../../../lambdas/core/store/execution-stream';
import { follow } from '../../../lambdas/follower/follow';
import { anExecution, T0_MS } from '../../support/factories';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';

const UNTIL_SEC = 1_800_000_000;
const running = (more: Partial<Execution> = {}) => anExecution({ status: 'running', ...more });
const ended = (more: Partial<Execution> = {}) =>
  anExecution({ status: 'succeeded', finishedAtMs: T0_MS + 900, expiresAtSec: UNTIL_SEC, ...more });

/** The rows that changes make. `fails`: the label whose row is not written. */
async function rowsOf(changes: [before: Execution | undefined, after: Execution][], fails?: string) {
  const rows: string[] = [];
  const put =
    (kind: string) =>
    async ({ execId }: { execId: string }, label: string, untilSec: number): Promise<void> => {
      if (label === fails) throw new Error('throttled');
      rows.push(`${kind} ${label} ${execId} ${untilSec}`);
    };
  const log = new RecordingLog();
  const answer = await follow(
    changes.map(([before, after], index): ExecutionChange => ({
      name: `event-${index}`,
      sequence: String(100 + index),
      atMs: T0_MS,
      before,
      after,
    })),
    {
      labels: { putRunTag: put('tag'), putExternalId: put('id') },
      log,
      meter: new RecordingMeter(),
      clock: { nowMs: () => T0_MS },
      retentionDays: 30,
    },
  );
  return { rows, answer, log };
}

const ID = anExecution().execId;

test('an end writes a row for each run tag, and one for the external id of its job', async () => {
  const end = ended({ runTags: ['a', 'b'], externalId: 'order-1' });
  const { rows, answer } = await rowsOf([[running(), end]]);
  expect(rows).toEqual([
    `tag a ${ID} ${UNTIL_SEC}`,
    `tag b ${ID} ${UNTIL_SEC}`,
    `id order-1 ${ID} ${UNTIL_SEC}`,
  ]);
  expect(answer).toEqual({});
});

test('the external id of a request has its row: it is not written again', async () => {
  const labels = { runTags: ['a'], externalId: 'order-1' };
  expect((await rowsOf([[running(labels), ended(labels)]])).rows).toEqual([`tag a ${ID} ${UNTIL_SEC}`]);
});

test.each<[name: string, end: Partial<Execution>]>([
  ['a retry by a user', { userRetries: 1 }],
  ['a run that was held for long', { expiresAtSec: UNTIL_SEC + 90 * 86_400 }],
])('the end of %s keeps the row of its external id as long as itself', async (_, end) => {
  const labels = { externalId: 'order-1' };
  const after = ended({ ...labels, ...end });
  const { rows } = await rowsOf([[running({ ...labels, userRetries: end.userRetries }), after]]);
  expect(rows).toEqual([`id order-1 ${ID} ${after.expiresAtSec}`]);
});

test('without labels, and of what is no end, nothing is written', async () => {
  const labels = { runTags: ['a'], externalId: 'order-1' };
  const task = { ...labels, execId: '20261201T083000.000Z/load' };
  const { rows } = await rowsOf([
    [running(), ended()],
    [undefined, running(labels)],
    [ended(labels), ended({ ...labels, lateResults: [] })],
    [running(), ended(task)],
    [running(), ended({ ...labels, jobKey: 'alice/~n-ops' })],
  ]);
  expect(rows).toEqual([]);
});

test('from the first end on whose tag was not written, the stream brings the changes again', async () => {
  const ends = ['a', 'b', 'c'].map((tag): [Execution, Execution] => [running(), ended({ runTags: [tag] })]);
  const { rows, answer, log } = await rowsOf(ends, 'b');
  expect(rows.map((row) => row.split(' ')[1])).toEqual(['a', 'c']);
  expect(answer).toEqual({ failedFrom: '101' });
  expect(log.lines).toHaveLength(1);
});
