import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { compactInstant, minuteOf } from '../../../lambdas/core/contracts/tables';
import { expectationIn, expectationOf } from '../../../lambdas/core/domain/expectation';
import { entryOf } from '../../../lambdas/core/store/dynamo/entries';
import { anExecution, T0_MS } from '../../support/factories';
import { byClock } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

interface Sent {
  atMs: number;
  kind: string;
  headline: string;
  execution?: object;
  expected?: { every: string; by: string; noSuccessSince: string };
  problems?: { count: number };
}

/** A world with a notification on `late`, and a job that runs every 2 minutes and expects a success in 10. */
async function expecting(more: object = { expectEvery: '10m' }) {
  const world = await PipelineWorld.started(1);
  const target = { type: 'http', url: 'https://hooks.example.com/ops' };
  const definition = { on: ['late', 'recovered'], lateAfter: '30d', target, minInterval: '1m' };
  const answer = world.api('putNotification', { id: 'ops' }, definition);
  expect((await world.clock.settle(answer)).status).toBe(201);
  const sent: Sent[] = [];
  const state = { fails: false };
  let last = '';
  world.observe = (delivery) => {
    last = delivery.headers['quarterjack-job']!;
    if (!last.startsWith('~n-')) return;
    sent.push({ ...(JSON.parse(delivery.body.toString()) as Sent), atMs: world.clock.nowMs() });
  };
  world.behaviour = () =>
    state.fails && last === 'backup'
      ? { outcome: 'fatal', statusCode: 410, error: 'gone' }
      : { outcome: 'succeeded', statusCode: 200 };
  const job = {
    schedule: { type: 'cron', expression: '*/2 * * * *', timezone: 'UTC' },
    target: { type: 'http', url: 'https://example.com/backup' },
    ...more,
  };
  const put = () => world.api('putJob', { jobId: 'backup' }, job);
  return { world, sent, state, put };
}

/** Sort keys of the entries of expectations that are not due yet. */
const pending = (world: PipelineWorld): string[] =>
  world.tables.rows('schedule').flatMap(({ entry }) => {
    const expected = expectationOf(String(entry).split('#')[3] ?? '');
    return expected && expected.atMs > world.clock.nowMs() ? [String(entry)] : [];
  });

const kinds = (sent: readonly Sent[]) => sent.map(({ kind }) => kind);

describe('a job with expectEvery', () => {
  it('sends no message while it succeeds in time, and has one entry', async () => {
    const { world, sent, put } = await expecting();
    expect((await put()).body).toMatchObject({ expectEvery: '10m' });
    for (let round = 0; round < 4; round++) {
      await world.run(9 * MINUTE_MS);
      expect(pending(world)).toHaveLength(1);
    }
    expect(sent).toEqual([]);
    expect(await world.audit()).toMatchObject({ jobs: 1, repaired: 0 });
    expect(world.errors()).toEqual([]);
  });

  it('is late without a success, again after each period, and recovers with the next success', async () => {
    const { world, sent, state, put } = await expecting();
    await put();
    await world.run(5 * MINUTE_MS);
    state.fails = true;
    await world.run(21 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late', 'late']);
    expect(sent[0]).toMatchObject({
      headline: 'Job backup has had no success for 10m',
      expected: { every: '10m' },
      problems: { count: 1 },
    });
    expect(sent[0]).not.toHaveProperty('execution');
    const { by, noSuccessSince } = sent[0]!.expected!;
    expect(Date.parse(by) - Date.parse(noSuccessSince)).toBe(10 * MINUTE_MS);
    expect(sent[0]!.atMs - Date.parse(by)).toBeGreaterThanOrEqual(20 * SECOND_MS);
    expect(sent[0]!.atMs - Date.parse(by)).toBeLessThanOrEqual(40 * SECOND_MS);
    expect(sent[1]!.problems).toMatchObject({ count: 2 });
    state.fails = false;
    await world.run(9 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late', 'late', 'recovered']);
    await world.run(20 * MINUTE_MS);
    expect(sent).toHaveLength(3);
    expect(pending(world)).toHaveLength(1);
  });

  it('expects nothing while it is paused, and counts anew from the resume', async () => {
    const { world, sent, state, put } = await expecting();
    state.fails = true;
    await put();
    await world.run(8 * MINUTE_MS);
    await world.api('pauseJob', { jobId: 'backup' });
    await world.run(30 * MINUTE_MS);
    expect(sent).toEqual([]);
    expect(pending(world)).toEqual([]);
    await world.api('resumeJob', { jobId: 'backup' });
    const resumedMs = world.clock.nowMs();
    await world.run(11 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late']);
    expect(Date.parse(sent[0]!.expected!.by)).toBe(resumedMs + 10 * MINUTE_MS);
  });

  it.each([
    ['at the very time of the change before', 0],
    ['by a clock that is behind', -2 * SECOND_MS],
  ])('expects by another period from a change on that comes %s', async (_, offsetMs) => {
    const { world, sent, state, put } = await expecting();
    state.fails = true;
    await put();
    await byClock(world, offsetMs, 'patchJob', { jobId: 'backup' }, { expectEvery: '30m' });
    expect(pending(world)).toHaveLength(1);
    await world.run(29 * MINUTE_MS);
    expect(sent).toEqual([]);
    expect(await world.audit()).toMatchObject({ repaired: 0 });
    await world.run(2 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late']);
  });

  it('has a success by a run that was moved to an earlier time than it was first asked for', async () => {
    const { world, sent, put } = await expecting({ expectEvery: '10m', schedule: { type: 'none' } });
    await put();
    await world.api('runJob', { jobId: 'backup' }, { key: 'k', delay: '2h' });
    await world.run(5 * MINUTE_MS);
    await world.api('runJob', { jobId: 'backup' }, { key: 'k', delay: '1s', onExisting: 'replace' });
    await world.run(9 * MINUTE_MS);
    expect(sent).toEqual([]);
    await world.run(2 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late']);
  });

  it.each([
    ['a run of weeks', {}, true],
    ['not the run of a backfill', { trigger: 'backfill' as const, backfill: {} as never }, false],
  ])('has a success by %s', async (_, fields, counts) => {
    const workflow = { tasks: { load: { target: { type: 'http', url: 'https://example.com/load' } } } };
    const { world, sent, put } = await expecting({
      expectEvery: '10m',
      schedule: { type: 'none' },
      target: undefined,
      workflow,
      timeout: '30d',
    });
    await put();
    await world.run(9 * MINUTE_MS);
    const begunMs = world.clock.nowMs() - 29 * DAY_MS;
    const run = anExecution({
      jobKey: 'alice/backup',
      execId: `${compactInstant(begunMs)}-run`,
      dueAtMs: begunMs,
      trigger: 'manual',
      status: 'succeeded',
      finishedAtMs: world.clock.nowMs(),
      expiresAtSec: (world.clock.nowMs() + 30 * DAY_MS) / 1_000,
      ...fields,
    });
    await world.deps.ends.putEnded(run);
    await world.run(9 * MINUTE_MS);
    expect(kinds(sent)).toEqual(counts ? [] : ['late']);
  });

  it('counts anew if expectEvery changes, and ends with it', async () => {
    const { world, sent, state, put } = await expecting();
    state.fails = true;
    await put();
    await world.run(8 * MINUTE_MS);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patch = (body: object) => world.api('patchJob', { jobId: 'backup' }, body, headers);
    expect((await patch({ expectEvery: '20m' })).body).toMatchObject({ expectEvery: '20m' });
    await world.run(18 * MINUTE_MS);
    expect(sent).toEqual([]);
    await world.run(4 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late']);
    expect((await patch({ expectEvery: null })).body).not.toHaveProperty('expectEvery');
    await world.run(45 * MINUTE_MS);
    expect(sent).toHaveLength(1);
  });

  it('gets an entry that is lost from the auditor, whether it is due yet or long past', async () => {
    const { world, sent, state, put } = await expecting();
    await put();
    await world.run(12 * MINUTE_MS);
    state.fails = true;
    const lose = async () => {
      for (const row of world.tables.rows('schedule')) {
        const [bucket = '', shard = ''] = String(row.bucket).split('#');
        const entry = entryOf(row, minuteOf(Date.parse(`${bucket}Z`)), Number(shard));
        if (entry && expectationIn(entry)) await world.deps.schedule.removeEntry(entry);
      }
    };
    await lose();
    expect(await world.audit()).toMatchObject({ repaired: 1 });
    expect(pending(world)).toHaveLength(1);
    await lose();
    await world.run(60 * MINUTE_MS);
    expect(sent).toEqual([]);
    expect(await world.audit()).toMatchObject({ repaired: 1 });
    await world.run(2 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late']);
    expect(await world.audit()).toMatchObject({ repaired: 0 });
  });

  // The entry is filed for now then, because the sweeper has passed the time of the expectation.
  it('gets no second entry where an outage has filed the next one late', async () => {
    const { world, state, put } = await expecting();
    await put();
    await world.run(4.5 * MINUTE_MS);
    state.fails = true;
    let rechecked = 0;
    world.onCall = (stage, { command, input }, kill) => {
      if (stage !== 'sweeper') return;
      if (world.clock.nowMs() < T0_MS + 15 * MINUTE_MS) kill();
      if (command === 'UpdateCommand' && JSON.stringify(input).includes('#expectation')) rechecked += 1;
    };
    while (rechecked === 0) await world.run(SECOND_MS);
    await world.clock.flush();
    expect(await world.audit()).toMatchObject({ repaired: 0 });
  });

  it('is told once, and keeps its series, wherever a sweeper dies', async () => {
    let kills = 0;
    for (let victim = 1; ; victim++) {
      const { world, sent, state, put } = await expecting({ expectEvery: '5m' });
      await put();
      await world.run(4 * MINUTE_MS);
      state.fails = true;
      let calls = 0;
      let killed = false;
      world.onCall = (stage, call, kill) => {
        if (stage !== 'sweeper' || !/-expect-|#expectation|#alert|~n-/.test(JSON.stringify(call.input)))
          return;
        calls += 1;
        if (calls !== victim) return;
        killed = true;
        kill();
      };
      await world.run(7 * MINUTE_MS);
      expect({ victim, sent: kinds(sent), pending: pending(world).length > 0 }).toEqual({
        victim,
        sent: ['late'],
        pending: true,
      });
      if (!killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
  });

  it('names the range of expectEvery', async () => {
    for (const [expectEvery, range] of [
      ['4m', 'from 5m to 400d'],
      ['30d', 'from 5m to 29d'],
    ]) {
      const { put } = await expecting({ expectEvery });
      const response = await put();
      expect(response.status).toBe(400);
      const message = expect.stringContaining(`"${expectEvery}" is out of range: must be ${range}`);
      expect(response.body).toMatchObject({ errors: [{ path: 'expectEvery', message }] });
    }
  });
});

test('a job without expectEvery costs nothing for it', async () => {
  const { world, put } = await expecting({});
  const calls: string[] = [];
  world.onCall = (stage, { input }) => {
    if (/expect/.test(JSON.stringify(input))) calls.push(stage);
  };
  await put();
  await world.run(6 * MINUTE_MS);
  await world.audit();
  expect(calls).toEqual([]);
});
