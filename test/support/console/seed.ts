import { type ConsoleWorld, executionWith } from './world';

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
  for (const jobId of ['fails-1', 'fails-2', 'fails-3', 'blocks'])
    await executionWith(world, jobId, 'failed');
  await api('POST', '/v1/jobs/invoice-42/run', {});
  await executionWith(world, 'invoice-42', 'succeeded');
}
