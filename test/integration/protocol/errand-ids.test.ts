import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { eventOf, nameOf, rowOf, untilStarted, worldWith } from '../../support/errand-world';

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

test('while its service has too many requests, an event without the output comes again', async () => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  world.errands.onProbe = () => ({ state: 'unknown', error: 'slow down', isThrottled: true });
  const event = eventOf(nameOf(world, job), 'succeeded', { isBrief: true });
  expect(await world.errands.watch(event)).toEqual({ failedIds: ['message'] });
  expect(rowOf(world, job).status).toBe('running');
});
