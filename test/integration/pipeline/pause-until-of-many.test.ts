import { instantText, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { T0_MS } from '../../support/factories';
import { PipelineWorld } from '../../support/pipeline-world';

const target = { type: 'http', url: 'https://example.com/hook' };
const schedule = { type: 'cron', expression: '*/1 * * * *' };
const at = (minutes: number) => T0_MS + minutes * MINUTE_MS;
const until = (minutes: number) => ({ until: instantText(at(minutes)) });
const runTo = (world: PipelineWorld, minutes: number) => world.run(at(minutes) - world.clock.nowMs());

async function worldOf(...jobIds: string[]): Promise<PipelineWorld> {
  const world = await PipelineWorld.started(1);
  for (const jobId of jobIds) await world.api('putJob', { jobId }, { schedule, target });
  await world.run(30 * SECOND_MS);
  return world;
}

test('a bulk that pauses until a time leaves alone what is paused without an end', async () => {
  const world = await worldOf('fires', 'stays');
  await world.api('pauseJob', { jobId: 'stays' });
  const bulk = { action: 'pause', filter: {}, all: true, ...until(10) };
  expect((await world.api('bulk', {}, bulk)).body).toMatchObject({ matched: 2, done: 1, unchanged: 1 });
  expect((await world.api('getJob', { jobId: 'stays' })).body).not.toHaveProperty('pausedUntil');
});

test.each([
  ['past', 'is not in the future', -1],
  ['far', 'is too far ahead', 401 * 24 * 60],
])('a bulk is refused as a whole, its dry run too, if its time is %s', async (_, message, minutes) => {
  const world = await worldOf('one', 'two');
  for (const dryRun of [false, true]) {
    const bulk = { action: 'pause', filter: {}, all: true, dryRun, ...until(minutes) };
    const { status, body } = await world.api('bulk', {}, bulk);
    const detail = `until: ${until(minutes).until} ${message}: must be within the next 400d`;
    expect([status, (body as { detail: string }).detail]).toEqual([400, detail]);
  }
});

test('what is due after a pause is explained as what it is: it waits', async () => {
  const world = await worldOf('till');
  await world.api('pauseJob', { jobId: 'till' }, until(10));
  await runTo(world, 9.9);
  world.on.executor = false;
  await runTo(world, 10.5);
  const query = new Map([['at', [instantText(at(10))]]]);
  const { body } = await world.api('explainOccurrence', { jobId: 'till' }, undefined, {}, { query });
  expect(body).toMatchObject({ verdict: 'waits' });
});

test('a pause with an end lets what it holds run soon after it, and nothing before', async () => {
  const world = await worldOf();
  await world.api('putJob', { jobId: 'till' }, { schedule: { type: 'none' }, target });
  for (const delay of ['5m', '34m']) await world.api('runJob', { jobId: 'till' }, { delay });
  await world.api('pauseJob', { jobId: 'till' }, until(35));
  await runTo(world, 34.9);
  const held = world.executions({ userId: 'alice', jobId: 'till' });
  expect(held.map(({ heldAtMs }) => heldAtMs !== undefined)).toEqual([true, true]);
  expect(world.calls).toEqual([]);
  await runTo(world, 35.6);
  expect(world.calls).toHaveLength(2);
  for (const { atMs } of world.calls) expect(atMs).toBeGreaterThanOrEqual(at(35));
  expect(world.errors()).toEqual([]);
});
