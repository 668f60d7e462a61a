import { MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { errandKeyOf } from '../../../lambdas/core/contracts/tables';
import { eventOf, nameOf, rowOf, untilStarted, worldWith } from '../../support/errand-world';

const isWrite = (command: string) => /^(?:Put|Update|BatchWrite)/.test(command);

/** The executor dies before its write of this number. All that comes after it goes on. */
test.each([
  { at: 0, before: 'the claim', starts: 1 },
  { at: 1, before: 'the row of the errand', starts: 1 },
  { at: 2, before: 'the entry of the first probe', starts: 2 },
  { at: 3, before: 'the delegation', starts: 2 },
])('an executor that dies before $before: one errand, started $starts times', async ({ at, starts }) => {
  const { world, job } = await worldWith();
  let writes = 0;
  const seen: string[] = [];
  world.onExecutorCall = ({ command, input }, kill) => {
    if (!isWrite(command)) return;
    if (writes++ === at) {
      world.onExecutorCall = undefined;
      return kill();
    }
    seen.push(JSON.stringify(input));
  };
  await untilStarted(world);
  expect(seen).toHaveLength(at);
  expect(world.errands.started).toHaveLength(at < 2 ? 0 : 1);
  await world.run(4 * MINUTE_MS);
  expect(world.errands.started).toHaveLength(starts);
  expect(new Set(world.errands.names).size).toBe(1);
  const name = nameOf(world, job);
  expect(rowOf(world, job)).toMatchObject({ status: 'running', delegatedTo: { errand: { name } } });
  expect(world.tables.rows('executions', ({ jobId }) => jobId === errandKeyOf(name))).toHaveLength(1);
  await world.errands.watch(eventOf(name, 'succeeded'));
  expect(rowOf(world, job)).toMatchObject({ status: 'succeeded', errands: 1 });
});

test('an executor that dies after the delegation has left a lease, and an entry that orders probes', async () => {
  const { world, job } = await worldWith();
  let writes = 0;
  world.onExecutorCall = ({ command }, kill) => {
    if (isWrite(command)) writes += 1;
    else if (writes === 4) kill();
  };
  await untilStarted(world);
  world.on.executor = false;
  await world.run(2 * MINUTE_MS);
  expect(world.errands.ordered).not.toEqual([]);
  world.errands.onProbe = () => ({ state: 'ended', end: { how: 'succeeded' } });
  await world.errands.probe();
  expect(rowOf(world, job)).toMatchObject({ status: 'succeeded', errands: 1 });
  expect(world.errands.started).toHaveLength(1);
});

/** A write of its own, before the delegation: events of Glue tell the id of a run alone. */
test.each([
  { at: 2, before: 'the row by the id' },
  { at: 3, before: 'the entry of the first probe' },
  { at: 4, before: 'the delegation' },
])('a run of Glue whose executor dies before $before is started once, and found', async ({ at }) => {
  const target = { type: 'glue', glueJobArn: 'arn:aws:glue:eu-central-1:111122223333:job/etl' } as const;
  const { world, job } = await worldWith({ target });
  const event = { ...eventOf('', 'succeeded', { type: 'glue', resource: target.glueJobArn, id: 'jr_1' }) };
  delete (event.detail as { name?: string }).name;
  world.errands.onStart = () => ({ how: 'started', id: 'jr_1' });
  world.errands.onProbe = () => ({ state: 'running', id: 'jr_1' });
  let writes = 0;
  world.onExecutorCall = ({ command }, kill) => {
    if (!isWrite(command) || writes++ !== at) return;
    world.onExecutorCall = undefined;
    kill();
  };
  await untilStarted(world);
  expect(writes).toBe(at + 1);
  await world.run(2 * MINUTE_MS);
  await world.errands.probe();
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ id: 'jr_1' });
  await world.errands.watch(event);
  expect(rowOf(world, job)).toMatchObject({ status: 'succeeded', errands: 1 });
  expect(world.errands.started).toHaveLength(1);
});

test('a watcher that dies after it has written down the lost sight: the next probe writes the end', async () => {
  const { world, job } = await worldWith({ timeout: '1m' });
  world.errands.onProbe = () => ({ state: 'unknown', error: 'denied' });
  await untilStarted(world);
  await world.run(62 * MINUTE_MS);
  world.errands.ordered.splice(0);
  let writes = 0;
  world.onCall = (stage, { command }, kill) => {
    if (stage !== 'watcher' || !isWrite(command) || writes++ === 0) return;
    world.onCall = undefined;
    kill();
  };
  const { jobKey, execId } = rowOf(world, job);
  void world.errands.watch({ v: 1, probe: { jobKey, execId } });
  await world.run(10 * SECOND_MS);
  expect(writes).toBe(2);
  expect(rowOf(world, job).status).toBe('running');
  await world.run(MINUTE_MS);
  await world.errands.probe();
  expect(rowOf(world, job)).toMatchObject({ status: 'failed', reason: 'lost-sight' });
  const name = nameOf(world, job);
  const [row] = world.tables.rows('executions', ({ jobId }) => jobId === errandKeyOf(name));
  expect(row).toMatchObject({ lostSightAtMs: expect.any(Number) as number });
});
