import { MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import type { IncidentEvent } from '../../support/fake-incidents';
import { aJob } from '../../support/factories';
import { INCIDENT_IO, PAGERDUTY, withIncidentService } from '../../support/incident-world';

const everyMinute = (jobId: string, more: object = {}) =>
  aJob({ jobId, schedule: { type: 'cron', expression: '* * * * *', timezone: 'UTC' }, ...more });
const hourly = (jobId: string) =>
  aJob({ jobId, schedule: { type: 'cron', expression: '31 * * * *', timezone: 'UTC' } });

const sentTo = (events: readonly IncidentEvent[]) =>
  events.map(({ opens }) => (opens ? 'trigger' : 'resolve'));

describe.each([
  ['pagerduty', PAGERDUTY],
  ['incident-io', INCIDENT_IO],
])('a notification whose target is %s', (_type, target) => {
  it('opens one incident for a job, and resolves it with its success, under one key', async () => {
    const { world, service, failing } = await withIncidentService({ target });
    failing.add('backup');
    await world.create(everyMinute('backup'));
    await world.run(4 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger']);
    expect(service.events[0]).toMatchObject({ summary: 'Job backup failed', severity: 'error' });
    failing.clear();
    await world.run(3 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
    expect(new Set(service.events.map(({ key }) => key)).size).toBe(1);
    expect(service.events[0]!.key).toMatch(/^qj-[0-9a-f]{40}$/);
    expect(world.errors()).toEqual([]);
  });
});

describe('an open incident', () => {
  it('is opened again at once after a recovery, whatever the interval', async () => {
    const { world, service, failing } = await withIncidentService();
    await world.create(everyMinute('backup'));
    for (const fails of [true, false, true]) {
      if (fails) failing.add('backup');
      else failing.clear();
      await world.run(3 * MINUTE_MS);
    }
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve', 'trigger']);
  });

  it('has a key for each job, and the severity of its kind', async () => {
    const { world, service, failing } = await withIncidentService({ severity: { failed: 'critical' } });
    for (const jobId of ['one', 'two']) {
      failing.add(jobId);
      await world.create(everyMinute(jobId));
    }
    await world.run(3 * MINUTE_MS);
    expect(service.open.size).toBe(2);
    expect(service.events.map(({ severity }) => severity)).toEqual(['critical', 'critical']);
  });

  const causes: [
    how: string,
    end: (world: Awaited<ReturnType<typeof withIncidentService>>['world']) => Promise<{ status: number }>,
  ][] = [
    ['a pause of its job', (world) => world.api('pauseJob', { jobId: 'backup' })],
    ['the deletion of its job', (world) => world.api('deleteJob', { jobId: 'backup' })],
    ['a lost tag', (world) => world.api('patchJob', { jobId: 'backup' }, { tags: { team: null } })],
    ['the deletion of its notification', (world) => world.api('deleteNotification', { id: 'ops' })],
  ];
  it.each(causes)('is resolved by %s within two minutes and a half', async (_how, end) => {
    const { world, service, failing } = await withIncidentService({ filter: { tag: 'team:billing' } });
    failing.add('backup');
    await world.create({ ...hourly('backup'), tags: { team: 'billing' } });
    await world.run(33 * MINUTE_MS);
    expect(service.open.size).toBe(1);
    expect((await world.clock.settle(end(world))).status).toBeLessThan(300);
    await world.run(2.5 * MINUTE_MS);
    expect([...service.open]).toEqual([]);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
    await world.run(90 * MINUTE_MS);
    expect(sentTo(service.events).filter((one) => one === 'resolve')).toHaveLength(
      sentTo(service.events).filter((one) => one === 'trigger').length,
    );
  });

  it('is resolved by a retry of the user', async () => {
    const { world, service, failing } = await withIncidentService();
    failing.add('backup');
    const job = await world.create(hourly('backup'));
    await world.run(33 * MINUTE_MS);
    failing.clear();
    const { execId } = world.executions(job)[0]!;
    expect((await world.clock.settle(world.api('retryExecution', { jobId: 'backup', execId }))).status).toBe(
      202,
    );
    await world.run(2.5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
  });

  it('stays open when pauseAfter pauses its job', async () => {
    const { world, service, failing } = await withIncidentService();
    failing.add('backup');
    await world.create(everyMinute('backup', { pauseAfter: { failures: 2 } }));
    await world.run(20 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger']);
    expect(service.open.size).toBe(1);
    // An edit is no pause of its editor.
    expect((await world.api('patchJob', { jobId: 'backup' }, { name: 'Backup' })).status).toBe(200);
    await world.run(5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger']);
    failing.clear();
    await world.api('resumeJob', { jobId: 'backup' });
    await world.run(5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
    await world.api('pauseJob', { jobId: 'backup' });
    failing.add('backup');
    await world.api('runJob', { jobId: 'backup' }, {});
    await world.run(5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
  });

  it('is resolved when a user pauses the job that pauseAfter has paused', async () => {
    const { world, service, failing } = await withIncidentService();
    failing.add('backup');
    await world.create(everyMinute('backup', { pauseAfter: { failures: 2 } }));
    await world.run(5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger']);
    const stored = () => world.deps.jobs.get({ userId: 'alice', jobId: 'backup' });
    const bySystem = await stored();
    expect(bySystem).toMatchObject({ status: 'paused', by: { via: 'system' } });
    const { status, body } = await world.api('pauseJob', { jobId: 'backup' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'paused', by: { sub: 'alice' } });
    // It plans nothing else by that: what it skips is counted from the first pause on.
    expect(await stored()).toMatchObject({
      generation: bySystem!.generation,
      pausedAtMs: bySystem!.pausedAtMs,
      changeNumber: bySystem!.changeNumber + 1,
    });
    await world.run(5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
    const again = await stored();
    await world.api('pauseJob', { jobId: 'backup' });
    expect(await stored()).toEqual(again);
  });

  it('is none of an attempt that fails after a user has paused its job', async () => {
    const { world, service, failing } = await withIncidentService();
    failing.add('backup');
    const answer = world.behaviour;
    let hasBegun = false;
    world.behaviour = async (...call) => {
      const result = await answer(...call);
      hasBegun = true;
      await world.clock.sleep(20 * SECOND_MS);
      return result;
    };
    const job = await world.create(everyMinute('backup', { retry: { maxAttempts: 1 } }));
    for (let second = 0; second < 90 && !hasBegun; second++) await world.run(SECOND_MS);
    await world.clock.settle(world.api('pauseJob', { jobId: 'backup' }));
    await world.run(5 * MINUTE_MS);
    expect(world.executions(job)).toContainEqual(expect.objectContaining({ status: 'failed' }));
    expect([...service.open]).toEqual([]);
    await world.clock.settle(world.api('resumeJob', { jobId: 'backup' }));
    await world.run(5 * MINUTE_MS);
    expect(service.open.size).toBe(1);
  });

  it('is watched also if its notification had another target while the problems began', async () => {
    const { world, service, failing } = await withIncidentService();
    const put = (definition: object) =>
      world.clock.settle(world.api('putNotification', { id: 'chat' }, { on: ['failed'], ...definition }));
    await world.clock.settle(world.api('deleteNotification', { id: 'ops' }));
    await put({ target: { type: 'http', url: 'https://hooks.example.com/ops' }, minInterval: '1h' });
    failing.add('backup');
    await world.create(everyMinute('backup'));
    await world.run(3 * MINUTE_MS);
    expect((await put({ target: PAGERDUTY, minInterval: '1h' })).status).toBe(200);
    await world.run(3 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger']);
    await world.clock.settle(world.api('pauseJob', { jobId: 'backup' }));
    await world.run(2.5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
  });
});

describe('a service of incidents that answers late, or not', () => {
  it('never gets an incident that is over: its next attempt resolves it', async () => {
    const { world, service, failing, by } = await withIncidentService();
    by.answer = (event) => (event.opens ? { outcome: 'retriable', statusCode: 503 } : undefined);
    failing.add('backup');
    await world.create(hourly('backup'));
    await world.run(32 * MINUTE_MS);
    failing.clear();
    await world.clock.settle(world.api('runJob', { jobId: 'backup' }, {}));
    await world.run(2 * MINUTE_MS);
    by.answer = () => undefined;
    await world.run(60 * MINUTE_MS);
    expect(sentTo(service.events)).not.toContain('trigger');
    expect(sentTo(service.events)).toContain('resolve');
  });

  it('is resolved again if a slow trigger arrives after the resolve', async () => {
    const { world, service, failing, by } = await withIncidentService();
    let hasBegun = false;
    by.answer = async (event) => {
      if (event.opens) {
        hasBegun = true;
        await world.clock.sleep(55 * SECOND_MS);
      }
      return undefined;
    };
    failing.add('backup');
    await world.create(hourly('backup'));
    for (let second = 0; second < 180 && !hasBegun; second++) await world.run(SECOND_MS);
    failing.clear();
    await world.clock.settle(world.api('runJob', { jobId: 'backup' }, {}));
    await world.run(5 * MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['resolve', 'trigger', 'resolve']);
    expect([...service.open]).toEqual([]);
  });
});

describe('more incidents in a minute than are sent one by one', () => {
  it('are one incident of the notification, which ends ten minutes after the last such minute', async () => {
    const { world, service, failing } = await withIncidentService();
    for (let index = 0; index < 30; index++) {
      failing.add(`job-${index}`);
      await world.create(hourly(`job-${index}`));
    }
    await world.run(4 * MINUTE_MS);
    expect(service.open.size).toBe(21);
    expect(service.events.at(-1)).toMatchObject({ summary: '10 more messages in one minute' });
    await world.run(12 * MINUTE_MS);
    expect(service.open.size).toBe(20);
    failing.clear();
    await world.run(50 * MINUTE_MS);
    expect([...service.open]).toEqual([]);
  }, 60_000);
});

describe('the incident of many messages, of a notification that is deleted', () => {
  it('is resolved before the notification may have another target', async () => {
    const { world, service, failing } = await withIncidentService();
    for (let index = 0; index < 25; index++) {
      failing.add(`job-${index}`);
      await world.create(hourly(`job-${index}`));
    }
    await world.run(4 * MINUTE_MS);
    expect(service.open.size).toBe(21);
    await world.clock.settle(world.api('deleteNotification', { id: 'ops' }));
    const target = { type: 'http', url: 'https://hooks.example.com/ops' };
    const put = async () =>
      (await world.clock.settle(world.api('putNotification', { id: 'ops' }, { on: ['failed'], target })))
        .status;
    await world.run(5 * MINUTE_MS);
    expect([service.open.size, await put()]).toEqual([1, 409]);
    await world.run(10 * MINUTE_MS);
    expect([service.open.size, await put()]).toEqual([0, 201]);
  }, 60_000);
});

describe('the test of a notification of incidents', () => {
  it('triggers and resolves under a key of its own, with severity info', async () => {
    const { world, service } = await withIncidentService();
    await world.clock.settle(world.api('testNotification', { id: 'ops' }));
    await world.run(MINUTE_MS);
    expect(sentTo(service.events)).toEqual(['trigger', 'resolve']);
    expect(service.events[0]).toMatchObject({ severity: 'info', key: expect.stringMatching(/-test$/) });
  });
});

describe('a process that dies', () => {
  it('leaves an incident open only while its cause stands, wherever it dies', async () => {
    let kills = 0;
    for (let victim = 1; ; victim++) {
      const { world, service, failing } = await withIncidentService();
      failing.add('backup');
      await world.create(everyMinute('backup'));
      let calls = 0;
      let killed = false;
      const isTelling = (call: { input: unknown }) => /#alert|~n-/.test(JSON.stringify(call.input));
      world.onCall = (stage, call, kill) => {
        if ((stage !== 'sweeper' && stage !== 'executor') || !isTelling(call)) return;
        calls += 1;
        if (calls !== victim) return;
        killed = true;
        kill();
      };
      await world.run(4 * MINUTE_MS);
      expect({ victim, open: service.open.size }).toEqual({ victim, open: 1 });
      await world.clock.settle(world.api('pauseJob', { jobId: 'backup' }));
      await world.run(4 * MINUTE_MS);
      expect({ victim, open: service.open.size }).toEqual({ victim, open: 0 });
      if (!killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(20);
  }, 120_000);
});
