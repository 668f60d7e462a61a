import {
  attemptRecord,
  recordsOf,
  type TargetOutcome,
} from '../../../../lambdas/core/domain/attempt-records';

const running = { attempt: 2, fence: 3 };
const of = (target: number, result: TargetOutcome['result']): TargetOutcome => ({
  target,
  result,
  startedAtMs: 10 + target,
});

test('each target with a result has a record; one that has only accepted has none yet', () => {
  const outcomes = [
    of(0, { outcome: 'succeeded', statusCode: 204, body: 'not kept' }),
    of(1, { outcome: 'accepted', statusCode: 202 }),
    of(2, { outcome: 'retriable', statusCode: 503, error: 'unavailable', retryAfterMs: 5 }),
    of(3, { outcome: 'fatal', reason: 'blocked-target', error: 'not allowed' }),
  ];
  const common = { ...running, finishedAtMs: 99 };
  expect(recordsOf(running, outcomes, 99)).toEqual([
    { ...common, target: 0, outcome: 'succeeded', statusCode: 204, startedAtMs: 10 },
    { ...common, target: 2, outcome: 'retriable', statusCode: 503, error: 'unavailable', startedAtMs: 12 },
    { ...common, target: 3, outcome: 'fatal', error: 'not allowed', startedAtMs: 13 },
  ]);
});

test('a record is that of the first target unless it names another', () => {
  expect(attemptRecord(running, { outcome: 'lost' }, 10, 99)).toMatchObject({ target: 0 });
  expect(attemptRecord(running, { outcome: 'lost', target: 1 }, 10, 99)).toMatchObject({ target: 1 });
});
