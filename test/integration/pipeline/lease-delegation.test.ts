import { DUE_MS, longJob } from '../../support/long-job';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('an executor dies after the recheck entry and before the delegation: its execution is taken over', async () => {
  const { world, heartbeat, complete, execution } = await longJob({ heartbeatTimeout: '30m' });
  world.onExecutorCall = ({ input }, kill) => {
    if (!String(input.UpdateExpression).includes('#delegatedTo =')) return;
    world.onExecutorCall = undefined;
    kill();
  };
  await world.run(35 * SECOND_MS);
  expect(execution()).toMatchObject({ status: 'running' });
  expect(execution()).not.toHaveProperty('delegatedTo');
  await world.run(90 * SECOND_MS);
  expect(world.calls).toHaveLength(2);
  expect(world.calls[1]!.atMs - DUE_MS).toBeLessThanOrEqual(75 * SECOND_MS);
  expect(await heartbeat(0)).toMatchObject({ status: 409 });
  await world.run(HOUR_MS / 4);
  expect(await complete(1)).toMatchObject({ status: 200 });
  expect(execution()).toMatchObject({ status: 'succeeded', takeovers: 1 });
});

test('an executor that dies right after the delegation causes no takeover', async () => {
  const { world, complete, execution } = await longJob({ heartbeatTimeout: '30m' });
  let died = 0;
  let killWriter = (): void => undefined;
  world.onExecutorCall = (_, kill) => {
    killWriter = kill;
  };
  world.dynamo.faults = {
    after: ({ input }) => {
      if (!String(input.UpdateExpression).includes('#delegatedTo =')) return;
      died += 1;
      killWriter();
    },
  };
  await world.run(10 * MINUTE_MS);
  expect(died).toBe(1);
  expect(execution()).toMatchObject({ status: 'running', attempt: 1 });
  expect(await complete()).toMatchObject({ status: 200 });
  expect(world.calls).toHaveLength(1);
});

test('a lost response to the delegation causes no second call', async () => {
  const { world, complete, execution } = await longJob({ heartbeatTimeout: '10m' });
  let lost = 0;
  world.dynamo.faults = {
    after: ({ input }) => {
      if (!String(input.UpdateExpression).includes('#delegatedTo =') || lost++ > 0) return;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    },
  };
  await world.run(5 * MINUTE_MS);
  expect(lost).toBe(2);
  expect(execution()).toMatchObject({ status: 'running', attempt: 1 });
  expect(await complete()).toMatchObject({ status: 200 });
});
