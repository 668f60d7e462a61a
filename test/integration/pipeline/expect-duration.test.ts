import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { aJob } from '../../support/factories';
import { withIncidentService } from '../../support/incident-world';
import { MONITOR, monitored, ping, untilAfterHour } from '../../support/monitor-world';
import { observed, putNotification } from '../../support/notified-world';
import type { PipelineWorld } from '../../support/pipeline-world';

const JOB = { userId: 'alice', jobId: 'backup' };

/** A notification on both kinds, and a job each three minutes whose target takes as long as `takes` says. */
async function expecting(
  definition: object = { expectDuration: { min: '5s', max: '1m' } },
  notification = {},
) {
  const { world, sent, failing } = await observed();
  const on = ['slow', 'quick', 'recovered'];
  await putNotification(world, 'ops', { on, minInterval: '1m', ...notification });
  const takes = { ms: 10 * SECOND_MS };
  const behave = world.behaviour;
  world.behaviour = async (call, signal, clock) => {
    const result = await behave(call, signal, clock);
    if (call.execId.length === 20) await clock.sleep(takes.ms, signal);
    return result;
  };
  const put = () =>
    world.api(
      'putJob',
      { jobId: 'backup' },
      {
        schedule: { type: 'cron', expression: '*/3 * * * *', timezone: 'UTC' },
        target: { type: 'http', url: 'https://example.com/backup', timeout: '5m' },
        retry: { initialDelay: '20s', jitter: 'none' },
        ...definition,
      },
    );
  return { world, sent, failing, takes, put };
}

const kinds = (sent: readonly { kind: string }[]) => sent.map(({ kind }) => kind);
const paces = (world: PipelineWorld, of = JOB) =>
  world.executions(of).map(({ status, pace }) => `${status} ${pace}`);

describe('a job with expectDuration', () => {
  it('tells of a success that took longer or less long, and of the next one within its bounds', async () => {
    const { world, sent, takes, put } = await expecting();
    expect((await put()).body).toMatchObject({ expectDuration: { min: '5s', max: '1m' } });
    await world.run(4 * MINUTE_MS);
    expect(sent).toEqual([]);
    for (const ms of [61 * SECOND_MS, 60 * SECOND_MS, SECOND_MS, 5 * SECOND_MS]) {
      takes.ms = ms;
      await world.run(3 * MINUTE_MS);
    }
    await world.run(2 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['slow', 'recovered', 'quick', 'recovered']);
    expect(paces(world).slice(0, 5)).toEqual([
      'succeeded undefined',
      'succeeded slow',
      'succeeded undefined',
      'succeeded quick',
      'succeeded undefined',
    ]);
    expect(sent[0]!.headline).toBe('Job backup took longer than expected');
    expect(sent[2]!.headline).toBe('Job backup took less time than expected');
    expect(world.errors()).toEqual([]);
  });

  it('says what the success took, and what was expected', async () => {
    const { world, takes, put } = await expecting();
    const bodies: Record<string, unknown>[] = [];
    const { observe } = world;
    world.observe = (delivery, target) => {
      observe!(delivery, target);
      if (delivery.headers['quarterjack-job'] === '~n-ops')
        bodies.push(JSON.parse(delivery.body.toString()) as Record<string, unknown>);
    };
    takes.ms = 65 * SECOND_MS;
    await put();
    await world.run(6 * MINUTE_MS);
    expect(bodies[0]).toMatchObject({
      kind: 'slow',
      execution: { status: 'succeeded', error: null },
      duration: { tookMs: expect.any(Number), min: '5s', max: '1m' },
      facts: expect.arrayContaining([
        ['Duration', '1m5s'],
        ['Expected', 'at least 5s, at most 1m'],
      ]),
    });
    const { execId } = world.executions(JOB)[0]!;
    const shown = await world.api('getExecution', { jobId: 'backup', execId });
    expect(shown.body).toMatchObject({ status: 'succeeded', pace: 'slow' });
  });

  it('counts from the start of the first attempt to the end, and anew for a retry by its user', async () => {
    const { world, takes, put } = await expecting({
      expectDuration: { max: '15s' },
      retry: { maxAttempts: 2, initialDelay: '20s', jitter: 'none' },
    });
    takes.ms = SECOND_MS;
    const busy = { outcome: 'retriable', statusCode: 503, error: 'busy' } as const;
    const { behaviour } = world;
    let failures = 1;
    world.behaviour = async (call, signal, clock) => {
      const result = await behaviour(call, signal, clock);
      return call.execId.length === 20 && failures-- > 0 ? busy : result;
    };
    await put();
    await world.run(4 * MINUTE_MS);
    expect(paces(world)).toEqual(['succeeded slow']);
    failures = 2;
    await world.run(3 * MINUTE_MS);
    expect(paces(world)[1]).toBe('failed undefined');
    const { execId } = world.executions(JOB)[1]!;
    expect((await world.api('retryExecution', { jobId: 'backup', execId })).status).toBe(202);
    await world.run(30 * SECOND_MS);
    expect(paces(world)[1]).toBe('succeeded undefined');
  });

  it('counts as it is when a success ends, and not again', async () => {
    const { world, sent, takes, put } = await expecting({ expectDuration: { max: '1m' } });
    takes.ms = 65 * SECOND_MS;
    await put();
    await world.run(4 * MINUTE_MS + 6 * SECOND_MS);
    expect(paces(world)).toEqual(['succeeded slow']);
    await world.api('patchJob', { jobId: 'backup' }, { expectDuration: { max: '2m' } });
    await world.run(MINUTE_MS);
    expect(kinds(sent)).toEqual(['slow']);
    await world.run(3 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['slow', 'recovered']);
  });

  it('says nothing of a failure, and a run that has not ended is late alone', async () => {
    const { world, sent, failing, takes, put } = await expecting(
      { expectDuration: { max: '1s' }, timeout: '5m', retry: { maxAttempts: 1 } },
      { on: ['late', 'slow'], lateAfter: '1m' },
    );
    failing.add('backup');
    await put();
    await world.run(4 * MINUTE_MS);
    expect(paces(world)).toEqual(['failed undefined']);
    expect(sent).toEqual([]);
    failing.clear();
    takes.ms = 150 * SECOND_MS;
    await world.run(7 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['late', 'slow', 'late']);
  });

  it('is a success to a notification that tells of none of it, and to onEnd and pauseAfter', async () => {
    const { world, sent, takes, put, failing } = await expecting(
      {
        expectDuration: { max: '1s' },
        retry: { maxAttempts: 1 },
        onEnd: { succeeded: { type: 'http', url: 'https://example.com/end' } },
      },
      { on: ['failed', 'quick', 'recovered'] },
    );
    failing.add('backup');
    await put();
    await world.run(4 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['failed']);
    failing.clear();
    takes.ms = 5 * SECOND_MS;
    await world.run(3 * MINUTE_MS);
    expect(paces(world)).toEqual(['failed undefined', 'succeeded slow']);
    expect(kinds(sent)).toEqual(['failed', 'recovered']);
    expect(world.executions({ userId: 'alice', jobId: '~s-backup' })).toHaveLength(1);
  });

  it('keeps a problem open while successes are out of bounds', async () => {
    const { world, sent, failing, takes, put } = await expecting(
      { expectDuration: { max: '30s' }, retry: { maxAttempts: 1 } },
      { on: ['failed', 'slow', 'recovered'] },
    );
    failing.add('backup');
    await put();
    await world.run(4 * MINUTE_MS);
    failing.clear();
    takes.ms = 31 * SECOND_MS;
    await world.run(3 * MINUTE_MS);
    takes.ms = SECOND_MS;
    await world.run(3 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['failed', 'slow', 'recovered']);
  });
});

test('it keeps an incident open until a success is within its bounds', async () => {
  const { world, service } = await withIncidentService({ on: ['slow'] });
  const { behaviour } = world;
  let takesMs = 20 * SECOND_MS;
  world.behaviour = async (call, signal, clock) => {
    if (call.execId.length === 20) await clock.sleep(takesMs, signal);
    return behaviour(call, signal, clock);
  };
  const schedule = { type: 'cron', expression: '*/5 * * * *', timezone: 'UTC' } as const;
  await world.create(aJob({ jobId: 'backup', schedule, expectDuration: { max: '10s' } }));
  await world.run(14 * MINUTE_MS);
  expect(service.events).toMatchObject([
    { opens: true, severity: 'warning', summary: 'Job backup took longer than expected' },
  ]);
  takesMs = SECOND_MS;
  await world.run(5 * MINUTE_MS);
  expect(service.events.map(({ opens }) => opens)).toEqual([true, false]);
});

describe('the duration of a run of a workflow', () => {
  it('is the whole run, and its tasks and a backfill have no bounds', async () => {
    const { world, sent } = await expecting();
    const target = { type: 'http', url: 'https://example.com/task' };
    const definition = {
      schedule: { type: 'cron', expression: '*/30 * * * *', timezone: 'UTC' },
      workflow: { tasks: { one: { delay: '40s' }, two: { target, dependsOn: ['one'] } } },
      expectDuration: { max: '30s' },
      misfire: { policy: 'skip' },
    };
    expect((await world.api('putJob', { jobId: 'etl' }, definition)).status).toBe(201);
    await world.run(35 * MINUTE_MS);
    expect(kinds(sent)).toEqual(['slow']);
    const ofJob = () => world.executions({ userId: 'alice', jobId: 'etl' });
    expect(ofJob().filter(({ pace }) => pace)).toMatchObject([{ run: {}, status: 'succeeded' }]);
    const range = { from: '2026-11-30T08:00:00Z', to: '2026-11-30T08:30:00Z' };
    expect((await world.api('startBackfill', { jobId: 'etl' }, range)).status).toBe(202);
    await world.run(3 * MINUTE_MS);
    const backfilled = ofJob().filter(({ trigger }) => trigger === 'backfill');
    expect(backfilled.filter(({ backfill }) => backfill)).toMatchObject([{ status: 'succeeded' }]);
    expect(backfilled.filter(({ backfill, pace }) => backfill && pace)).toEqual([]);
    expect(backfilled.filter(({ backfill, pace }) => !backfill && pace === 'slow')).not.toEqual([]);
    expect(world.errors()).toEqual([]);
  });
});

describe('a monitor with expectDuration', () => {
  it('counts from its start to its end, and without a start not at all', async () => {
    const { world, sent } = await expecting();
    const url = await monitored(world, { expectDuration: { min: '1m', max: '5m' }, timeout: '1h' });
    const took = [
      ['start', 5 * MINUTE_MS + SECOND_MS],
      ['start', 5 * MINUTE_MS],
      ['start', MINUTE_MS - SECOND_MS],
      ['log', SECOND_MS],
    ] as const;
    for (const [signal, ms] of took) {
      await untilAfterHour(world, MINUTE_MS);
      await ping(world, `${url}/${signal}`);
      await world.run(ms);
      await ping(world, url);
      await world.run(3 * MINUTE_MS);
    }
    expect(paces(world, MONITOR)).toEqual([
      'succeeded slow',
      'succeeded undefined',
      'succeeded quick',
      'succeeded undefined',
    ]);
    expect(kinds(sent)).toEqual(['slow', 'recovered', 'quick', 'recovered']);
    expect(sent[0]!.atMs % HOUR_MS).toBeLessThan(8 * MINUTE_MS);
  });

  it('recovers with the next success in time, also while it is not told yet', async () => {
    const { world, sent } = await expecting();
    const url = await monitored(world, { expectDuration: { max: '5m' }, timeout: '1h' });
    await untilAfterHour(world, MINUTE_MS);
    for (const ms of [5 * MINUTE_MS + SECOND_MS, SECOND_MS]) {
      await ping(world, `${url}/start`);
      await world.run(ms);
      await ping(world, url);
      await world.run(SECOND_MS);
    }
    await world.run(5 * MINUTE_MS);
    expect(paces(world, MONITOR)).toEqual(expect.arrayContaining(['succeeded slow', 'succeeded undefined']));
    expect(kinds(sent)).toEqual(['slow', 'recovered']);
  });

  it.each([
    ['three days', 3 * DAY_MS, 'succeeded slow'],
    ['more than three days, no duration', 3 * DAY_MS + 1, 'succeeded undefined'],
  ])('has, after %s', async (_, ms, pace) => {
    const { world } = await expecting();
    const url = await monitored(world, {
      schedule: { type: 'none' },
      target: { type: 'monitor', pingWithin: '10d' },
      expectEvery: '20d',
      expectDuration: { max: '1h' },
    });
    await ping(world, `${url}/start`);
    const nowMs = world.clock.nowMs.bind(world.clock);
    const startedAtMs = nowMs();
    world.clock.nowMs = () => startedAtMs + ms;
    await ping(world, url);
    world.clock.nowMs = nowMs;
    expect(paces(world, MONITOR)).toEqual([pace]);
  });
});
