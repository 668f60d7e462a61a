import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { Metric } from '../../../lambdas/core/contracts/metrics';
import { diesAfterStart, eventOf, nameOf, rowOf, untilStarted, worldWith } from '../../support/errand-world';
import { MACHINE } from '../../support/fake-errands';

test('what its service calls an errand is kept with the lease, and every probe asks by it', async () => {
  const { world, job } = await worldWith();
  world.errands.onStart = () => ({ how: 'started', id: 'arn:1' });
  await untilStarted(world);
  expect(rowOf(world, job).delegatedTo?.errand?.id).toBe('arn:1');
  await world.run(2 * MINUTE_MS);
  await world.errands.probe();
  expect(world.errands.probed).toContainEqual(expect.objectContaining({ id: 'arn:1' }));
});

test('an errand that a probe has found is known by its id from then on', async () => {
  const { world, job } = await worldWith();
  world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
  world.errands.onProbe = () => ({ state: 'running', id: 'arn:1' });
  await untilStarted(world);
  await world.run(MINUTE_MS);
  await world.errands.probe();
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ id: 'arn:1' });
  expect(rowOf(world, job).delegatedTo?.errand?.unresolved).toBeUndefined();
});

test.each([
  ['its service tells', { state: 'ended', end: { how: 'failed', error: 'disk full' } }, 'disk full'],
  ['its service is denied to tell', { state: 'unknown', error: 'denied' }, 'failed'],
  ['its service does not know of yet', { state: 'running' }, 'failed'],
] as const)('an event without the error of an end: that is what %s', async (_, seen, error) => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  world.errands.onProbe = () => seen;
  await world.errands.watch(eventOf(nameOf(world, job), 'failed', { isBrief: true, error: 'failed' }));
  expect(rowOf(world, job).attempts).toEqual([expect.objectContaining({ error })]);
});

test.each([
  ['two seconds ago', (nowMs: number) => ({ time: new Date(nowMs - 2 * SECOND_MS).toISOString() }), [2_000]],
  ['by a clock that is ahead', (nowMs: number) => ({ time: new Date(nowMs + 1).toISOString() }), [0]],
  ['at no time', () => ({}), []],
])('how late an end is on record, which an event told %s', async (_, timeAt, lags) => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  const event = eventOf(nameOf(world, job), 'succeeded');
  await world.errands.watch({ ...event, ...timeAt(world.clock.nowMs()) });
  expect(world.meter.values(Metric.errandLagMs)).toEqual(lags);
});

test('while its service has too many requests, an event without the output comes again', async () => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  world.errands.onProbe = () => ({ state: 'unknown', error: 'slow down', isThrottled: true });
  const event = eventOf(nameOf(world, job), 'succeeded', { isBrief: true });
  expect(await world.errands.watch(event)).toEqual({ failedIds: ['message'] });
  expect(rowOf(world, job).status).toBe('running');
});

test.each([
  [
    'its service tells more',
    { state: 'ended', end: { how: 'failed', error: 'no; it runs again' } },
    'no; it runs again',
  ],
  ['its service has too many requests', { state: 'unknown', error: 'slow down', isThrottled: true }, 'no'],
] as const)('an event of which there may be more to tell: %s', async (_, seen, error) => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  world.errands.onProbe = () => seen;
  const event = eventOf(nameOf(world, job), 'failed', { mayTellMore: true, error: 'no' });
  expect(await world.errands.watch(event)).toEqual({ failedIds: [] });
  expect(rowOf(world, job).attempts).toEqual([expect.objectContaining({ error })]);
});

test.each([
  ['OutOfStock', { status: 'failed', attempts: [{ outcome: 'fatal' }] }],
  ['Throttled', { status: 'retrying', attempts: [{ outcome: 'retriable' }] }],
])('after the error %s, the execution is %j', async (errorName, expected) => {
  const { world, job } = await worldWith({
    target: { type: 'stepfunctions', stateMachineArn: MACHINE, wait: true, fatalErrors: ['OutOfStock'] },
  });
  await untilStarted(world);
  await world.errands.watch(eventOf(nameOf(world, job), 'failed', { errorName }));
  expect(rowOf(world, job)).toMatchObject(expected);
});

const DURABLE = {
  type: 'lambda',
  functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:target-f:live',
  durable: true,
} as const;

test.each([
  ['within the day for which a function keeps what has ended, it is started again', 2 * MINUTE_MS, 2],
  ['past that day it is not started again: a probe finds it, or nothing ran', 25 * HOUR_MS, 1],
])('an execution of a durable function is taken over: %s', async (_, pauseMs, starts) => {
  const { world, job } = await worldWith({ target: DURABLE, timeout: '3d' });
  diesAfterStart(world);
  await untilStarted(world);
  world.on.executor = false;
  await world.run(pauseMs);
  world.on.executor = true;
  await world.run(3 * MINUTE_MS);
  expect(world.errands.started).toHaveLength(starts);
  expect(rowOf(world, job).delegatedTo?.errand?.type).toBe('durable');
});

test('an execution that its function may have forgotten is lost from sight, and starts no other', async () => {
  const { world, job } = await worldWith({ target: DURABLE, timeout: '3d' });
  diesAfterStart(world);
  await untilStarted(world);
  world.on.executor = false;
  await world.run(25 * HOUR_MS);
  world.on.executor = true;
  world.errands.onProbe = () => ({ state: 'none' });
  await world.run(4 * MINUTE_MS);
  await world.errands.probe();
  expect(rowOf(world, job)).toMatchObject({ status: 'failed', reason: 'lost-sight' });
  expect(world.errands.started).toHaveLength(1);
});
