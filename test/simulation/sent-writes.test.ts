import { bucketKeyOf, compactInstant, minuteOf } from '../../lambdas/core/contracts/tables';
import { WRITE_DEADLINE_MS } from '../../lambdas/core/domain/timing';
import { TABLES } from '../support/dynamo/memory-backend';
import { FakeClock } from '../support/fake-clock';
import { EventLog, type GivenUpRecord } from './log';
import { SentWrites } from './sent-writes';

const SECOND_MS = 1_000;
const job = { TableName: TABLES.jobs, Item: { userId: 'alice', jobId: 'job' } };

/** A put of an entry that is due now. */
const entryDueAt = (checkAtMs: number) => {
  const bucket = bucketKeyOf(minuteOf(checkAtMs), 0);
  const entry = `${compactInstant(checkAtMs)}#alice/job#o#revision#${compactInstant(checkAtMs)}`;
  return { TableName: TABLES.schedule, Item: { bucket, entry } };
};

/** One node, whose clock is ahead by `leastAheadMs`. */
function newNode(leastAheadMs = 0) {
  const time = new FakeClock();
  const log = new EventLog(() => time.nowMs());
  const node = { name: 'api-1', answeredMs: undefined as number | undefined, leastAheadMs };
  const writes = new SentWrites(node, time, log);
  const startMs = time.nowMs();
  return {
    time,
    node,
    /** A try of a put begins. */
    begin: (input: object, signal?: AbortSignal) =>
      writes.begins({ command: 'PutCommand', input: input as never, attempt: 1, signal }),
    /** The put lands, by its latest try. Returns what is logged of it, in time since the start. */
    land(input: object) {
      const put = { command: 'PutCommand', input: input as never };
      writes.landed(put, writes.begunMs(put));
      const records = log.records.splice(0) as unknown as GivenUpRecord[];
      return records.map(({ by, givenUpMs, begunMs }) => [by, givenUpMs - startMs, begunMs - startMs]);
    },
  };
}

test('a write that nothing gives up is not logged', async () => {
  const { time, begin, land } = newNode();
  begin(job, new AbortController().signal);
  await time.advance(60 * SECOND_MS);
  expect(land(job)).toEqual([]);
});

test('a write that lands after its signal has aborted is logged', async () => {
  const { time, begin, land } = newNode();
  const request = new AbortController();
  begin(job, request.signal);
  await time.advance(SECOND_MS);
  request.abort();
  await time.advance(SECOND_MS);
  expect(land(job)).toEqual([['abort', SECOND_MS, 0]]);
});

test('the latest try counts of a write that its node sends after its answer', async () => {
  const { time, node, begin, land } = newNode();
  begin(job);
  await time.advance(SECOND_MS);
  node.answeredMs = time.nowMs();
  await time.advance(SECOND_MS);
  begin(job);
  await time.advance(SECOND_MS);
  expect(land(job)).toEqual([['answer', SECOND_MS, 2 * SECOND_MS]]);
});

test.each([0, 2_000, -2_000])(
  'an entry has its deadline by the clock of its writer, which is ahead by %i ms',
  async (aheadMs) => {
    const { time, begin, land } = newNode(aheadMs);
    const entry = entryDueAt(time.nowMs() + aheadMs);
    begin(entry);
    await time.advance(WRITE_DEADLINE_MS);
    expect(land(entry)).toEqual([]);
    await time.advance(2);
    expect(land(entry)).toEqual([['deadline', WRITE_DEADLINE_MS + 1, 0]]);
  },
);

test('an entry far ahead has no deadline yet', async () => {
  const { time, begin, land } = newNode();
  const entry = entryDueAt(time.nowMs() + 60 * SECOND_MS);
  begin(entry);
  await time.advance(60 * SECOND_MS);
  expect(land(entry)).toEqual([]);
});
