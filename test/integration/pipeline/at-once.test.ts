import { updateAlert } from '../../../lambdas/core/alerts/update-alert';
import { PipelineWorld } from '../../support/pipeline-world';

// Two processes work on one row at the same time.

const MINUTE_MS = 60_000;
const TODAY = '2026-12-01';
const target = { type: 'http', url: 'https://example.com/hook' };

test('two sweepers that see failures of one job at once count both, and tell of them once', async () => {
  const world = await PipelineWorld.started(1);
  const definition = { on: ['failed'], target, minInterval: '1h' };
  const put = world.api('putNotification', { id: 'ops' }, definition);
  expect((await world.clock.settle(put)).status).toBe(201);
  const [notification] = await world.deps.alerting.notificationsOf('alice');
  const failed = (at: number) => ({
    kind: 'failed' as const,
    execId: `20261201T08300${at}.000Z`,
    fence: 1,
    atMs: world.clock.nowMs() + at,
  });
  const sighted = { jobKey: 'alice/backup', job: undefined };
  await Promise.all([1, 2, 3].map((at) => updateAlert(notification!, sighted, [failed(at)], world.deps)));
  const ref = { project: 'alice', notification: 'ops', jobId: 'backup' };
  expect(await world.deps.alerts.get(ref)).toMatchObject({ isOpen: true, count: 3 });
  await world.run(MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  expect(world.errors()).toEqual([]);
});

test('two changes of a calendar at once leave each job planned by the one that counts', async () => {
  const world = await PipelineWorld.started(1);
  const freeze = (from: string, to: string) => ({
    timezone: 'UTC',
    dates: [{ from: `${TODAY}T${from}`, to: `${TODAY}T${to}` }],
  });
  const put = (from: string, to: string) =>
    world.clock.settle(world.api('putCalendar', { calendarId: 'freeze' }, freeze(from, to)));
  await put('09:00', '09:01');
  const schedule = { type: 'cron', expression: '* * * * *', exclude: [{ calendar: 'freeze' }] };
  for (const jobId of ['a', 'b', 'c'])
    expect((await world.api('createJob', {}, { jobId, schedule, target })).status).toBe(201);
  const answers = await Promise.all([put('08:34', '08:36'), put('08:36', '08:38')]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  // What a process has left to another one is done by the auditor.
  await world.clock.settle(world.audit());
  const { body } = await world.api('getCalendar', { calendarId: 'freeze' });
  const { dates, changing } = body as { dates: { from: string }[]; changing: boolean };
  expect(changing).toBe(false);
  await world.run(10 * MINUTE_MS);
  const excluded = dates[0]!.from.endsWith('08:34') ? [34, 35] : [36, 37];
  const minutes = world.calls.map(({ dueAtMs }) => new Date(dueAtMs).getUTCMinutes());
  for (const minute of [33, 34, 35, 36, 37, 38])
    expect(minutes.filter((one) => one === minute)).toHaveLength(excluded.includes(minute) ? 0 : 3);
  expect(world.errors()).toEqual([]);
});
