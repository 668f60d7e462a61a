import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import type { EventSpec } from '../../../lambdas/core/schedule/spec';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, putsAttemptEntry, rowsPut } from '../../support/kill-between';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const subscribe = (
  world: PipelineWorld,
  jobId: string,
  schedule: Partial<EventSpec> = {},
  overrides: Partial<Job> = {},
) =>
  world.create(
    newJobAt(world, { jobId, schedule: { type: 'event', name: 'order.paid', ...schedule }, ...overrides }),
  );

const rows = (world: PipelineWorld, jobId: string) => world.executions({ userId: 'alice', jobId });

async function started() {
  const world = await PipelineWorld.started();
  const bodies: [jobId: string, body: unknown][] = [];
  world.observe = ({ headers, body }) => {
    bodies.push([headers['quarterjack-job']!, JSON.parse(body.toString() || 'null')]);
  };
  const send = (event: object, headers: Record<string, string> = {}) =>
    world.api('sendEvent', {}, { name: 'order.paid', ...event }, headers);
  return { world, bodies, send };
}

test('an event starts each job that waits for it, with its data', async () => {
  const { world, bodies, send } = await started();
  await subscribe(world, 'receipt');
  await subscribe(world, 'eu-tax', { where: { region: 'eu', amount: 42 } });
  await subscribe(world, 'us-tax', { where: { region: 'us' } });
  await subscribe(world, 'refund', { name: 'order.refunded' });
  const data = { region: 'eu', amount: 42, items: [1, 2] };
  const answer = await send({ id: 'evt-1', data });
  expect(answer).toMatchObject({
    status: 202,
    body: {
      eventId: 'evt-1',
      replayed: false,
      runs: [
        { jobId: 'eu-tax', status: 'queued' },
        { jobId: 'receipt', status: 'queued' },
      ],
    },
  });
  await world.run(MINUTE_MS);
  expect(bodies.sort(([a], [b]) => a.localeCompare(b))).toEqual([
    ['eu-tax', data],
    ['receipt', data],
  ]);
  expect(rows(world, 'receipt')).toMatchObject([
    { trigger: 'event', status: 'succeeded', cause: { type: 'event', name: 'order.paid', eventId: 'evt-1' } },
  ]);
  expect(world.errors()).toEqual([]);
});

test('an event that is sent again starts nothing twice, whatever has become of it', async () => {
  const { world, bodies, send } = await started();
  await subscribe(world, 'receipt');
  const first = await send({ id: 'evt-1', data: 1 });
  await world.run(MINUTE_MS);
  const second = await send({ id: 'evt-1', data: 1 });
  expect(second.body).toEqual({ ...(first.body as object), replayed: true });
  await world.run(MINUTE_MS);
  expect(bodies).toEqual([['receipt', 1]]);
  const other = await send({ id: 'evt-1', data: 2 });
  expect(other).toMatchObject({ status: 422, body: { title: 'Event id reused' } });
  const key = { 'idempotency-key': 'k-1' };
  await send({ data: 3 }, key);
  expect((await send({ data: 3 }, key)).body).toMatchObject({ replayed: true });
  await world.run(MINUTE_MS);
  expect(bodies).toEqual([
    ['receipt', 1],
    ['receipt', 3],
  ]);
});

test('a paused job records the event as skipped, and a retry gets its data', async () => {
  const { world, bodies, send } = await started();
  await subscribe(world, 'receipt', { debounce: '10s' });
  await world.api('pauseJob', { jobId: 'receipt' });
  const { body } = await send({ id: 'evt-1', data: { order: 42 } });
  expect(body).toMatchObject({ runs: [{ jobId: 'receipt', status: 'skipped' }] });
  await world.run(MINUTE_MS);
  expect(rows(world, 'receipt')).toMatchObject([{ status: 'skipped', reason: 'paused' }]);
  await world.api('resumeJob', { jobId: 'receipt' });
  await world.api('retryExecution', { jobId: 'receipt', execId: rows(world, 'receipt')[0]!.execId });
  await world.run(MINUTE_MS);
  expect(bodies).toEqual([['receipt', { order: 42 }]]);
});

test('an event whose request dies after any of its writes is finished by a repeat', async () => {
  for (let fatal = 1; ; fatal++) {
    const { world, bodies, send } = await started();
    await subscribe(world, 'receipt');
    await subscribe(world, 'tax');
    await subscribe(world, 'later', { debounce: '5s' });
    let writes = 0;
    world.dynamo.faults = {
      before: ({ command }) => {
        if (/^(Put|Update|Delete|BatchWrite)/.test(command)) writes += 1;
        if (writes >= fatal) throw new Error('the process has died');
      },
    };
    await send({ id: 'evt-1', data: 1 }).catch(() => undefined);
    world.dynamo.faults = {};
    await world.run(SECOND_MS);
    expect((await send({ id: 'evt-1', data: 1 })).status).toBe(202);
    await world.run(2 * MINUTE_MS);
    expect(bodies.sort(([a], [b]) => a.localeCompare(b))).toEqual([
      ['later', 1],
      ['receipt', 1],
      ['tax', 1],
    ]);
    if (writes >= fatal) continue;
    expect(fatal).toBeGreaterThan(6);
    return;
  }
});

describe('debounce', () => {
  test('keeps one open run a key, which starts after the last event with its data', async () => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '30s' });
    for (const [key, data] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['a', 4],
    ] as const) {
      await send({ key, data });
      await world.run(12 * SECOND_MS);
    }
    const open = rows(world, 'index').filter(({ status }) => status === 'queued');
    expect(open).toHaveLength(1);
    await world.run(MINUTE_MS);
    expect(bodies).toEqual([
      ['index', 2],
      ['index', 4],
    ]);
    const moved = rows(world, 'index').find(({ cause }) => cause?.type === 'event' && cause.key === 'a')!;
    expect(moved.latenessMs).toBeLessThan(SECOND_MS);
    await send({ key: 'a', data: 5 });
    await world.run(MINUTE_MS);
    expect(bodies.at(-1)).toEqual(['index', 5]);
    expect(rows(world, 'index')).toHaveLength(3);
  });

  test('a repeat of an event that a run has covered starts no other', async () => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '10s' });
    await send({ id: 'evt-1', data: 1 });
    await send({ id: 'evt-2', data: 2 });
    await world.run(MINUTE_MS);
    await send({ id: 'evt-1', data: 1 });
    await send({ id: 'evt-2', data: 2 });
    await world.run(MINUTE_MS);
    expect(bodies).toEqual([['index', 2]]);
  });

  test.each([2, 5, 12])('%d events that come together start one run', async (count) => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '10s' });
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) => send({ key: 'a', id: `evt-${n}`, data: n })),
    );
    const named = answers.map(({ body }) => (body as { runs: { execId: string }[] }).runs[0]!.execId);
    expect(new Set(named).size).toBe(1);
    await world.run(MINUTE_MS);
    expect(rows(world, 'index')).toMatchObject([{ execId: named[0], status: 'succeeded' }]);
    expect(bodies).toHaveLength(1);
    expect(world.errors()).toEqual([]);
  });

  test('the next event starts the run that a dead request has named, and a repeat no other', async () => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '10s' });
    const isKilled = killBetween(world, 'api', [namesOpenRun, putsAttemptEntry]);
    void send({ key: 'a', id: 'evt-1', data: 1 }).catch(() => undefined);
    await world.run(SECOND_MS);
    expect(isKilled()).toBe(true);
    await send({ key: 'a', id: 'evt-2', data: 2 });
    await world.run(MINUTE_MS);
    await send({ key: 'a', id: 'evt-1', data: 1 });
    await world.run(MINUTE_MS);
    expect(bodies).toEqual([['index', 2]]);
    expect(rows(world, 'index')).toMatchObject([{ status: 'succeeded' }]);
  });

  test('a repeat of an event whose request moved a run and died starts no other', async () => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '10s' });
    await send({ id: 'evt-1', data: 1 });
    let hasMoved = false;
    world.dynamo.faults = {
      before: () => {
        if (hasMoved) throw new Error('the process has died');
      },
      after: (call) => {
        hasMoved ||= movesRun(call);
      },
    };
    await send({ id: 'evt-2', data: 2 }).catch(() => undefined);
    world.dynamo.faults = {};
    expect(hasMoved).toBe(true);
    await world.run(MINUTE_MS);
    await send({ id: 'evt-2', data: 2 });
    await world.run(MINUTE_MS);
    expect(bodies).toEqual([['index', 2]]);
  });

  test('the run starts a day after the event that opened it, whether or not that has written it', async () => {
    for (const dies of [false, true]) {
      const { world, bodies, send } = await started();
      world.on.sweep = false;
      await subscribe(world, 'index', { debounce: '20h' });
      if (dies) killBetween(world, 'api', [namesOpenRun, putsAttemptEntry]);
      const openedAtMs = world.clock.nowMs();
      void send({ key: 'a', id: 'evt-1', data: 1 }).catch(() => undefined);
      await world.run(15 * HOUR_MS);
      const { body } = await send({ key: 'a', id: 'evt-2', data: 2 });
      const dueAt = new Date(openedAtMs + 24 * HOUR_MS).toISOString();
      expect(body).toMatchObject({ runs: [{ dueAt }] });
      await world.run(9 * HOUR_MS);
      expect(bodies).toEqual([['index', 2]]);
      expect(rows(world, 'index')).toMatchObject([
        { status: 'succeeded', dueAtMs: openedAtMs + 24 * HOUR_MS },
      ]);
    }
  });

  test('a run that was named a day ago and never written is over', async () => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '10s' });
    killBetween(world, 'api', [namesOpenRun, putsAttemptEntry]);
    void send({ key: 'a', id: 'evt-1', data: 1 }).catch(() => undefined);
    await world.clock.advance(25 * HOUR_MS);
    const sentAtMs = world.clock.nowMs();
    await send({ key: 'a', id: 'evt-2', data: 2 });
    await world.run(MINUTE_MS);
    expect(bodies).toEqual([['index', 2]]);
    expect(rows(world, 'index')).toMatchObject([{ dueAtMs: sentAtMs + 10 * SECOND_MS }]);
  });

  test('an event that a later one has overtaken moves the run back neither in time nor in data', async () => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '10s' });
    await send({ key: 'a', data: 1 });
    let overtaken = false;
    world.dynamo.faults = {
      before: (call) => {
        if (!movesRun(call) || overtaken) return undefined;
        overtaken = true;
        return world.clock.sleep(SECOND_MS);
      },
    };
    const slow = send({ key: 'a', data: 2 });
    await world.run(SECOND_MS / 2);
    const later = await send({ key: 'a', data: 3 });
    await world.run(SECOND_MS);
    expect(overtaken).toBe(true);
    expect((await slow).body).toMatchObject({ runs: (later.body as { runs: object[] }).runs });
    await world.run(MINUTE_MS);
    expect(bodies).toEqual([['index', 3]]);
  });

  test('an event does not move what a user runs again: it opens a run', async () => {
    const { world, bodies, send } = await started();
    await subscribe(world, 'index', { debounce: '10s' });
    await send({ key: 'a', data: 1 });
    const [{ execId }] = rows(world, 'index') as [Execution];
    await world.api('cancelExecution', { jobId: 'index', execId });
    world.on.executor = false;
    await world.api('retryExecution', { jobId: 'index', execId });
    await send({ key: 'a', data: 2 });
    world.on.executor = true;
    await world.run(MINUTE_MS);
    expect(bodies).toEqual([
      ['index', 1],
      ['index', 2],
    ]);
  });
});

const namesOpenRun = (call: Call) => rowsPut(call, 'executions').some(({ openRun }) => openRun !== undefined);
const movesRun = ({ input }: Call) =>
  String((input as { UpdateExpression?: string }).UpdateExpression).includes('#dueAtMs = :dueAtMs');
