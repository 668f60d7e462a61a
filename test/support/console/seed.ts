import { apiCaller } from '../api-caller';
import { eventually } from '../eventually';
import { type ConsoleWorld, executionWith, ownerOf } from './world';

/** Jobs of alice: some that succeed, three that fail alike, and one that blocks its ordering key. */
export async function seed(world: ConsoleWorld): Promise<void> {
  const { api } = world;
  const put = async (jobId: string, job: object) =>
    expect((await api('PUT', `/v1/jobs/${jobId}`, job)).status).toBe(201);
  const cron = { type: 'cron', expression: '30 2,9 * * MON-FRI,SUN', timezone: 'Europe/Berlin' };
  await put('invoice-42', {
    name: 'Invoice reminder',
    schedule: cron,
    target: world.at('/200/1'),
    payload: { invoice: 42 },
    tags: { team: 'billing' },
  });
  const soon = { schedule: { type: 'delay', delay: '1s' }, retry: { maxAttempts: 1 } };
  for (const jobId of ['fails-1', 'fails-2', 'fails-3'])
    await put(jobId, { ...soon, target: world.at('/503/1'), tags: { team: 'billing' } });
  await put('blocks', {
    ...soon,
    target: world.at('/400/1'),
    orderingKey: 'customer/42',
    onFailure: 'block',
  });
  for (let index = 0; index < 5; index++)
    await put(`batch-${index}`, { schedule: cron, target: world.at('/200/1'), tags: { team: 'data' } });
  await seedWorkflow(world);
  await seedApproval(world);
  await seedSetUp(world);
  await seedQueue(world);
  await seedMonitor(world);
  for (const jobId of ['nightly', 'invoice-42', 'release']) await api('POST', `/v1/jobs/${jobId}/run`, {});
  for (const jobId of ['fails-1', 'fails-2', 'fails-3', 'blocks', 'nightly'])
    await executionWith(world, jobId, 'failed');
  await executionWith(world, 'invoice-42', 'succeeded');
  await approvalOf(world, await executionWith(world, 'release', 'running'));
}

/** `load` of `nightly` fails, so `report` is blocked and `alarm` runs. `open-end` goes on for ten minutes. */
async function seedWorkflow({ api, at }: ConsoleWorld): Promise<void> {
  const retry = { maxAttempts: 2, initialDelay: '1s' };
  const tasks = {
    extract: { name: 'Extract orders', target: at('/200/5') },
    load: { dependsOn: ['extract'], target: at('/503/5'), retry, input: { day: '{{ run.day }}' } },
    report: { dependsOn: ['load'], target: at('/200/5') },
    alarm: { finally: 'failed', target: at('/200/5') },
  };
  const nightly = { name: 'Nightly warehouse', schedule: { type: 'none' }, workflow: { tasks } };
  expect((await api('PUT', '/v1/jobs/nightly', nightly)).status).toBe(201);
  const openEnd = { one: { target: at('/200/600000') }, two: { dependsOn: ['one'], target: at('/200/5') } };
  const job = { schedule: { type: 'none' }, workflow: { tasks: openEnd } };
  expect((await api('PUT', '/v1/jobs/open-end', job)).status).toBe(201);
}

/** `release` waits for an approval after a fan-out. Then a task waits for an hour, and one starts a job. */
async function seedApproval({ api, at }: ConsoleWorld): Promise<void> {
  const tasks = {
    parts: { forEach: { items: ['red', 'green', 'blue'] }, target: at('/200/5') },
    approve: { dependsOn: ['parts'], approval: { note: 'Release it?' } },
    cool: { dependsOn: ['approve'], delay: '1h', target: at('/200/5') },
    publish: { dependsOn: ['cool'], job: 'invoice-42' },
  };
  const job = { schedule: { type: 'none' }, timeout: '1d', workflow: { tasks } };
  expect((await api('PUT', '/v1/jobs/release', job)).status).toBe(201);
}

/** Waits until a run waits for an approval. */
export async function approvalOf({ api }: ConsoleWorld, execId: string): Promise<void> {
  await eventually(
    () => api('GET', '/v1/waiting?kind=approval'),
    ({ body }) => body.items?.some((one: { execId: string }) => one.execId === execId),
  );
}

/** Makes three executions for workers: one is done and has a log, one is at work, and one waits. */
async function seedQueue({ api, system }: ConsoleWorld): Promise<void> {
  const target = { type: 'worker', queue: 'warehouse', heartbeatTimeout: '1h' };
  const job = { schedule: { type: 'none' }, target, timeout: '2h', payload: { table: 'orders' } };
  expect((await api('PUT', '/v1/jobs/load-orders', job)).status).toBe(201);
  for (let count = 0; count < 3; count++) await api('POST', '/v1/jobs/load-orders/run', {});
  const asker = apiCaller(system.url, await system.token('alice', 'work'));
  const claim = async () => {
    const request = { queue: 'warehouse', worker: 'host-1/4711', wait: '5s' };
    const { body } = await eventually(
      () => asker('POST', '/v1/work/claim', request),
      (answer) => answer.body.work?.length === 1,
    );
    const { token } = body.work[0];
    const lines = [
      { text: 'reading orders' },
      { stream: 'stderr', text: '\u001b[33mslow disk\u001b[0m' },
      { text: '7 rows loaded' },
    ];
    const worker = apiCaller(system.url, token);
    expect((await worker('POST', '/v1/attempts/log', { chunk: 0, lines })).status).toBe(200);
    return worker;
  };
  const done = await claim();
  await done('POST', '/v1/attempts/complete', { result: { rows: 7 } });
  await claim();
}

/** A monitor that has had a ping, by the URL of the project. */
async function seedMonitor(world: ConsoleWorld): Promise<void> {
  const schedule = { type: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' };
  const target = { type: 'monitor', pingWithin: '1h' };
  expect((await world.api('PUT', '/v1/jobs/backup', { schedule, target })).status).toBe(201);
  const { body } = await (await ownerOf(world))('PUT', '/v1/ping-key', {});
  expect((await fetch(`${body.url}/backup`)).status).toBe(200);
}

/** Backfills two dates of `on-workdays`, and returns the backfill once it has ended. */
export async function endedBackfill({ api }: ConsoleWorld): Promise<string> {
  const range = { from: '2026-11-09T00:00:00Z', to: '2026-11-11T00:00:00Z' };
  const { body } = await api('POST', '/v1/jobs/on-workdays/backfills', range);
  await eventually(
    () => api('GET', `/v1/jobs/on-workdays/backfills/${body.execId}`),
    (answer) => answer.body.status === 'succeeded',
  );
  return body.execId;
}

/** More jobs than a page shows at first, with the tag `team:many`. */
export async function seedMany({ api, at }: ConsoleWorld): Promise<void> {
  const jobs = Array.from({ length: 110 }, (_, index) => ({
    jobId: `many-${String(index).padStart(3, '0')}`,
    schedule: { type: 'none' },
    target: at('/200/1'),
    tags: { team: 'many' },
  }));
  for (const some of [jobs.slice(0, 100), jobs.slice(100)])
    expect((await api('POST', '/v1/jobs/batch?replace=true', { jobs: some })).status).toBe(207);
}

/** A calendar that one job uses, and a concurrency key. */
async function seedSetUp({ api, at }: ConsoleWorld): Promise<void> {
  const calendar = {
    name: 'German holidays',
    timezone: 'Europe/Berlin',
    weekdays: ['SAT', 'SUN'],
    dates: [{ from: '2026-12-24T18:00', to: '2026-12-27T06:00', note: 'freeze' }],
    yearly: ['01-01'],
  };
  expect((await api('PUT', '/v1/calendars/de-holidays', calendar)).status).toBe(201);
  const schedule = {
    type: 'cron',
    expression: '0 9 * * *',
    timezone: 'Europe/Berlin',
    exclude: [{ calendar: 'de-holidays' }],
  };
  expect((await api('PUT', '/v1/jobs/on-workdays', { schedule, target: at('/200/1') })).status).toBe(201);
  expect((await api('PUT', '/v1/concurrency-keys/crm', { limit: 2 })).status).toBeLessThan(300);
}
