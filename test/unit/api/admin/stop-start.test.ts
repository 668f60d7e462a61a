import type { ApiDeps } from '../../../../lambdas/api/request';
import { T0_MS } from '../../../support/factories';
import { apiSurroundings } from '../../../support/surroundings';
import { ApiWorld } from '../world';

const ADMIN = { user: 'operator', scope: 'admin' };
const STATUS = 'GET /v1/admin/status';
const STOP = 'POST /v1/admin/stop';
const START = 'POST /v1/admin/start';
const REDRIVE = 'POST /v1/admin/redrive';

test.each([STATUS, STOP, START, REDRIVE])('%s requires the scope admin', async (route) => {
  const world = new ApiWorld();
  const answer = await world.call(route, {}, undefined, { scope: 'jobs:read jobs:write' });
  expect([answer.status, answer.body.detail]).toEqual([403, 'the token lacks the scope admin']);
  expect(world.tick).toBe('on');
});

test.each(['jobs:read', 'jobs:read admin'])('the caller sees the rights of its token: %s', async (scope) => {
  const { body } = await new ApiWorld().call('GET /v1/me', {}, undefined, { scope });
  expect(body.project).not.toBeNull();
  expect(body.scopes).toEqual(scope.split(' '));
});

test('a stop turns the tick off and shows its time and user; a start undoes it', async () => {
  const world = new ApiWorld();
  expect((await world.call(STATUS, {}, undefined, ADMIN)).body).toMatchObject({
    state: 'running',
    stoppedAt: null,
    stoppedBy: null,
    tick: 'on',
  });
  const stopped = await world.call(STOP, {}, undefined, ADMIN);
  const expected = {
    state: 'stopped',
    stoppedAt: '2026-12-01T08:30:00.000Z',
    stoppedBy: 'operator',
    tick: 'off',
  };
  expect([stopped.status, stopped.body]).toEqual([200, expect.objectContaining(expected)]);
  expect(world.tick).toBe('off');

  await world.clock.advance(5_000);
  const again = await world.call(STOP, {}, undefined, { ...ADMIN, user: 'another' });
  expect(again.body).toMatchObject(expected);

  const started = await world.call(START, {}, undefined, ADMIN);
  expect(started.body).toMatchObject({ state: 'running', stoppedAt: null, stoppedBy: null, tick: 'on' });
  expect(await world.deps.schedule.readMaintenance()).toBeUndefined();
  expect((await world.call(START, {}, undefined, ADMIN)).status).toBe(200);
});

test('a stop that cannot turn the tick off still stops all sends, and a repeat completes it', async () => {
  const world = new ApiWorld();
  const { set } = world.deps.tickSwitch;
  world.deps.tickSwitch.set = () => Promise.reject(new Error('no answer'));
  expect((await world.call(STOP, {}, undefined, ADMIN)).status).toBe(500);
  expect(await world.deps.schedule.readMaintenance()).toEqual({ sinceMs: T0_MS, by: 'operator' });
  world.deps.tickSwitch.set = set;
  expect((await world.call(STOP, {}, undefined, ADMIN)).body).toMatchObject({
    state: 'stopped',
    tick: 'off',
  });
});

test('the status shows the position of each shard', async () => {
  const world = new ApiWorld();
  const minute = Math.floor(T0_MS / 60_000);
  const cursor = { after: '', movedAtMs: T0_MS, entriesInLastBucket: 0 };
  for (const shard of [0, 1]) {
    await world.deps.schedule.createCursors([
      { ...cursor, kind: 'scan', shard, minute: minute + 4 - 10 * shard },
      { ...cursor, kind: 'sweep', shard, minute: minute - 1 },
    ]);
  }
  const { body } = await world.call(STATUS, {}, undefined, ADMIN);
  expect(body.shards).toBe(4);
  expect(body.scan).toEqual({
    lagSec: 480,
    shards: [
      { shard: 0, at: '2026-12-01T08:34:00.000Z', lagSec: 0 },
      { shard: 1, at: '2026-12-01T08:24:00.000Z', lagSec: 480 },
      { shard: 2, at: null, lagSec: null },
      { shard: 3, at: null, lagSec: null },
    ],
  });
  expect(body.sweep.lagSec).toBe(0);
});

test('the status says where the metrics are drawn, also after a stop', async () => {
  const dashboardUrl = 'https://eu-central-1.console.aws.amazon.com/cloudwatch/home#x';
  const world = new ApiWorld({ deployment: { ...apiSurroundings.deployment, dashboardUrl } });
  for (const route of [STATUS, STOP, START])
    expect((await world.call(route, {}, undefined, ADMIN)).body.dashboardUrl).toBe(dashboardUrl);
});

test('the lag of a scan cursor counts from the configured horizon', async () => {
  const world = new ApiWorld({ horizonMs: 600_000 });
  const cursor = {
    after: '',
    movedAtMs: T0_MS,
    entriesInLastBucket: 0,
    minute: Math.floor(T0_MS / 60_000) + 4,
  };
  await world.deps.schedule.createCursors([{ ...cursor, kind: 'scan', shard: 0 }]);
  expect((await world.call(STATUS, {}, undefined, ADMIN)).body.scan.lagSec).toBe(300);
});

test('the last 50 stops are on record, with who and why', async () => {
  const world = new ApiWorld();
  for (let stop = 0; stop < 52; stop++) {
    await world.clock.advance(60_000);
    await world.call(STOP, {}, { reason: `stop ${stop}` }, ADMIN);
    await world.call(STOP, {}, undefined, { ...ADMIN, user: 'another' }); // a repeat is the same stop
    await world.clock.advance(60_000);
    await world.call(START, {}, undefined, { ...ADMIN, user: 'second' });
  }
  await world.clock.advance(60_000);
  const { body } = await world.call(STOP, {}, undefined, ADMIN);
  expect(body.stops).toHaveLength(50);
  expect(body.stops.slice(0, 2)).toEqual([
    { stoppedAt: body.stoppedAt, startedAt: null, by: 'operator', startedBy: null, reason: null },
    {
      stoppedAt: '2026-12-01T10:13:00.000Z',
      startedAt: '2026-12-01T10:14:00.000Z',
      by: 'operator',
      startedBy: 'second',
      reason: 'stop 51',
    },
  ]);
});

describe('how old the oldest message of a queue is', () => {
  const QUEUES = [
    { name: 'default/medium', waiting: 5, inFlight: 0, dead: 0 },
    { name: 'default/long', waiting: 1, inFlight: 20, dead: 0 },
    { name: 'scan', waiting: 0, inFlight: 1, dead: 0 },
  ];
  const withAges = (oldestSec: ApiDeps['queues']['oldestSec'], queues = QUEUES) => {
    const asked: (readonly string[])[] = [];
    const world = new ApiWorld({
      queues: {
        ...apiSurroundings.queues,
        status: async () => queues,
        oldestSec: (names, signal) => {
          asked.push(names);
          return oldestSec(names, signal);
        },
      },
    });
    const agesOf = async (): Promise<(number | null)[]> =>
      (await world.call(STATUS, {}, undefined, ADMIN)).body.queues.map(
        ({ oldestSec: age }: { oldestSec: number | null }) => age,
      );
    return { world, asked, agesOf };
  };

  test('is asked in one call, for those queues alone in which something waits', async () => {
    const { asked, agesOf, world } = withAges(async () => new Map([['default/medium', 412]]));
    expect(await agesOf()).toEqual([412, null, 0]);
    expect(asked).toEqual([['default/medium', 'default/long']]);
    expect(world.log.lines).toContainEqual(
      expect.objectContaining({ level: 'info', fields: { queues: ['default/long'] } }),
    );
  });

  test('is asked of no service if all queues are empty', async () => {
    const { asked, agesOf } = withAges(
      async () => new Map(),
      QUEUES.map((queue) => ({ ...queue, waiting: 0 })),
    );
    expect(await agesOf()).toEqual([0, 0, 0]);
    expect(asked).toEqual([]);
  });

  test('is unknown if the service refuses to tell, and the log says so', async () => {
    const { agesOf, world } = withAges(() => Promise.reject(new Error('AccessDenied')));
    expect(await agesOf()).toEqual([null, null, 0]);
    expect(world.log.messages('warn')).toEqual(['ages of messages are unknown']);
  });

  test('is unknown if the service does not answer within two seconds', async () => {
    let asked: AbortSignal | undefined;
    const { agesOf, world } = withAges((_, signal) => {
      asked = signal;
      return new Promise(() => undefined);
    });
    const ages = agesOf();
    while (!asked) await world.clock.advance(0);
    await world.clock.advance(1_999);
    expect(asked.aborted).toBe(false);
    await world.clock.advance(1);
    expect(await ages).toEqual([null, null, 0]);
    expect(asked.aborted).toBe(true);
    expect(world.log.messages('warn')).toEqual(['ages of messages are unknown']);
  });
});

describe('a redrive', () => {
  const withQueues = (moved: number) => {
    const calls: [string, number][] = [];
    const world = new ApiWorld({
      queues: {
        names: ['default/medium', 'scan'],
        status: async () => [
          { name: 'scan', waiting: 2, inFlight: 1, dead: 3 },
          { name: 'sweep', waiting: 0, inFlight: 1, dead: 0 },
        ],
        oldestSec: async () => new Map(),
        redrive: async (...call) => {
          calls.push(call);
          return moved;
        },
      },
    });
    return { world, calls };
  };

  test('moves at most that many messages, and says how many', async () => {
    const { world, calls } = withQueues(7);
    const { status, body } = await world.call(REDRIVE, {}, { queue: 'scan', max: 10 }, ADMIN);
    expect([status, body]).toEqual([200, { queue: 'scan', moved: 7 }]);
    expect(calls).toEqual([['scan', 10]]);
    expect((await world.call(STATUS, {}, undefined, ADMIN)).body.queues).toEqual([
      { name: 'scan', waiting: 2, inFlight: 1, dead: 3, oldestSec: null },
      { name: 'sweep', waiting: 0, inFlight: 1, dead: 0, oldestSec: 0 },
    ]);
  });

  test.each([
    [{ queue: 'nowhere', max: 1 }, 'queue'],
    [{ queue: 'scan' }, 'max'],
    [{ queue: 'scan', max: 0 }, 'max'],
    [{ queue: 'scan', max: 1_001 }, 'max'],
    [{ queue: 'scan', max: 1, all: true }, 'all'],
  ])('with %j is rejected', async (body, path) => {
    const { world, calls } = withQueues(0);
    const answer = await world.call(REDRIVE, {}, body, ADMIN);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, path]);
    expect(calls).toEqual([]);
  });

  test('in maintenance mode is a conflict: executors would drop the messages', async () => {
    const { world, calls } = withQueues(1);
    await world.call(STOP, {}, undefined, ADMIN);
    expect((await world.call(REDRIVE, {}, { queue: 'scan', max: 1 }, ADMIN)).status).toBe(409);
    expect(calls).toEqual([]);
  });
});
