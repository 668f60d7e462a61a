import type { DurationBounds, Pace } from '../../../lambdas/core/domain/timing';
import type { Story } from '../story';
import { checkDurations } from './durations';

const ref = { jobKey: 'alice/a', execId: '20261201T083200.000Z' };

/** What the check says of a success that took so long, by the clocks that claimed and ended it. */
function saidOf(tookMs: number, expectDuration: DurationBounds, pace?: Pace): string[] {
  const row = { ...ref, status: 'succeeded', startedAtMs: 900_000, finishedAtMs: 900_000 + tookMs, pace };
  const story = {
    conditions: { skewMs: 1_000 },
    end: { executions: [{ ...row, attempts: [] }] },
    versions: new Map([[ref.jobKey, [{ fromMs: 0, untilMs: 2_000_000, job: { expectDuration } }]]]),
  };
  return checkDurations(story as unknown as Story).map(({ detail }) => detail);
}

test('a success is slow or quick by the bounds that its job has', () => {
  expect(saidOf(16_000, { max: '15s' }, 'slow')).toEqual([]);
  expect(saidOf(16_000, { max: '15s' })).toHaveLength(1);
  expect(saidOf(900, { min: '1s' }, 'quick')).toEqual([]);
  expect(saidOf(900, { min: '1s' })).toHaveLength(1);
});

test('what ended before it began, by another clock, is quick only below a bound', () => {
  expect(saidOf(-667, { max: '15s' })).toEqual([]);
  expect(saidOf(-667, { min: '1s' }, 'quick')).toEqual([]);
});
