import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Story } from '../story';
import { checkOccurrences } from './occurrences';

const MINUTE_MS = 60_000;
const END_MS = Date.parse('2026-12-01T12:00:00Z');
const jobKey = 'alice/a';
const QUEUE = '#ordering#alice/key';

/** @param freedMs when an execution before the date has left the ordering key for which that waits */
function unfinishedIf(freedMs: number, dateBegan?: { atMs: number }): string[] {
  const waiting = { jobKey, execId: '20251201T120000.000Z-d-2' };
  const before = { jobKey, execId: '20251201T110000.000Z-d-1' };
  const run = {
    jobKey,
    execId: '20261201T110000.000Z-bf',
    dueAtMs: 0,
    status: 'running',
    trigger: 'backfill',
  };
  const status = dateBegan ? 'running' : 'queued';
  const date = { ...run, ...waiting, status, parent: { ...run, task: 'dates', round: 1 } };
  const ticket = (of: typeof waiting, exists: boolean, t: number) => ({
    ...{ src: 'table', type: 'ticket', queue: QUEUE, sort: of.execId },
    ...{ ...of, exists, t },
  });
  const executions = [
    { ...run, backfill: {}, run: {} },
    { ...date, run: {} },
  ] as unknown as Execution[];
  const story = {
    records: [ticket(before, true, 0), ticket(waiting, true, 1), ticket(before, false, freedMs)],
    conditions: {},
    end: { executions },
    endMs: END_MS,
    requests: [],
    calls: [],
    states: new Map([
      [`${jobKey}#${run.execId}`, [{ t: 0, execution: run }]],
      [`${jobKey}#${date.execId}`, [{ t: dateBegan?.atMs ?? 0, execution: date }]],
    ]),
    versions: new Map([[jobKey, []]]),
    entries: new Map(),
  };
  return checkOccurrences(story as unknown as Story).map(({ detail }) => detail.split(' ')[1]!);
}

test('what waits for a key that others before it still get is not stuck, nor is the run above it', () => {
  expect(unfinishedIf(END_MS - MINUTE_MS)).toEqual([]);
  expect(unfinishedIf(END_MS - 30 * MINUTE_MS)).toEqual([
    '20261201T110000.000Z-bf',
    '20251201T120000.000Z-d-2',
  ]);
});

test('nor is a run one of whose children has changed since', () => {
  const longAgoMs = END_MS - 30 * MINUTE_MS;
  expect(unfinishedIf(longAgoMs, { atMs: END_MS - MINUTE_MS })).toEqual([]);
  expect(unfinishedIf(longAgoMs, { atMs: longAgoMs })).toHaveLength(2);
});
