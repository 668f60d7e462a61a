import type { Execution } from '../../../lambdas/core/domain/execution';
import type { LogRecord } from '../log';
import type { Story } from '../story';
import { checkWorkers } from './workers';

const ref = { jobKey: 'alice/a', execId: '20261201T083200.000Z' };
const ended = { ...ref, status: 'failed', reason: 'not-started', detail: { queue: 'q', offeredAtMs: 1_000 } };
const ticket = {
  ...{ n: 0, t: 1_000, src: 'table', type: 'work-ticket', exists: true, queue: '#work#alice/q' },
  ...{ ...ref, offerId: 'o', offeredAtMs: 1_000, startWithinMs: 20_000, startAtMs: 1_000 },
  ...{ dueAtMs: 1_000, attempt: 1 },
};
const versions = [
  { fromMs: 0, untilMs: 300_000, job: { target: { type: 'worker', queue: 'q', startWithin: '20s' } } },
  { fromMs: 300_000, untilMs: Number.POSITIVE_INFINITY, job: null },
];

/** An execution that ends for want of a worker, and is unblocked after its job was deleted. */
function brokenBy(finishedAtMs: number): string[] {
  const row = { ...ended, finishedAtMs } as unknown as Execution;
  const story = {
    records: [ticket as unknown as LogRecord],
    endMs: 900_000,
    conditions: { skewMs: 0 },
    end: { executions: [row], entries: [] },
    states: new Map([
      [`${ref.jobKey}#${ref.execId}`, [finishedAtMs, 500_000].map((t) => ({ t, execution: row }))],
    ]),
    versions: new Map([[ref.jobKey, versions]]),
  };
  return checkWorkers(story as unknown as Story).map(({ invariant }) => invariant);
}

test('an end for want of a worker keeps its time when its key is unblocked', () => {
  expect(brokenBy(21_001)).toEqual([]);
  expect(brokenBy(20_999)).toEqual(['not-started']);
});
