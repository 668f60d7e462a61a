import type { EventType } from '@aws-sdk/client-lambda';

import { stepsIn } from '../../../../../lambdas/core/delivery/errands/durable-steps';

type StepEvent = Parameters<typeof stepsIn>[0][number];

const event = (
  type: EventType,
  id: string | undefined,
  atMs: number,
  more: Partial<StepEvent> = {},
): StepEvent => ({
  EventType: type,
  ...(id !== undefined && { Id: id }),
  EventTimestamp: new Date(atMs),
  ...more,
});

const stepsOf = (...oldestFirst: StepEvent[]) => stepsIn(oldestFirst.toReversed());

test('what was done is told in the order in which it began, with its end', () => {
  expect(
    stepsOf(
      event('ExecutionStarted', 'e', 1),
      event('StepStarted', 'a', 2, { Name: 'reserve' }),
      event('WaitStarted', 'b', 3),
      event('StepSucceeded', 'a', 5, { Name: 'reserve' }),
      event('WaitSucceeded', 'b', 6),
      event('CallbackStarted', 'c', 7, { Name: 'paid' }),
      event('CallbackTimedOut', 'c', 8, { Name: 'paid' }),
      event('StepStarted', 'd', 9, { Name: 'ship' }),
      event('InvocationCompleted', undefined, 10),
      event('ExecutionFailed', 'e', 11),
    ),
  ).toEqual([
    { name: 'reserve', state: 'succeeded', startedAtMs: 2, endedAtMs: 5 },
    { name: 'Wait', state: 'succeeded', startedAtMs: 3, endedAtMs: 6 },
    { name: 'paid', state: 'failed', startedAtMs: 7, endedAtMs: 8 },
    { name: 'ship', state: 'open', startedAtMs: 9 },
  ]);
});

test('a step that is tried again is one step, from its first start to its last end', () => {
  const again = [event('StepStarted', 'a', 1), event('StepFailed', 'a', 2), event('StepStarted', 'a', 3)];
  expect(stepsOf(...again)).toEqual([{ name: 'Step', state: 'open', startedAtMs: 1 }]);
  expect(stepsOf(...again, event('StepSucceeded', 'a', 4))).toEqual([
    { name: 'Step', state: 'succeeded', startedAtMs: 1, endedAtMs: 4 },
  ]);
});

test('a step that began before these events has no start', () => {
  expect(stepsOf(event('StepSucceeded', 'a', 4))).toEqual([
    { name: 'Step', state: 'succeeded', endedAtMs: 4 },
  ]);
  const again = [event('StepFailed', 'a', 4), event('StepStarted', 'a', 5), event('StepSucceeded', 'a', 6)];
  expect(stepsOf(...again)).toEqual([{ name: 'Step', state: 'succeeded', endedAtMs: 6 }]);
});

test('the last 20 are kept, with 64 bytes of each name', () => {
  const many = Array.from({ length: 25 }, (_, index) =>
    event('StepStarted', `${index}`, index, { Name: `${index} ${'x'.repeat(100)}` }),
  );
  const kept = stepsOf(...many);
  expect(kept).toHaveLength(20);
  expect(kept[0]!.name).toBe(`5 ${'x'.repeat(62)}`);
  expect(stepsOf(event('StepStarted', 'a', 1, { Name: '支'.repeat(64) }))[0]!.name).toBe('支'.repeat(21));
});
