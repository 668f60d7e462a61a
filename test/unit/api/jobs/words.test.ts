import { ApiWorld } from '../world';

test('schedules and durations are taken as people write them, and shown as given', async () => {
  const world = new ApiWorld();
  const created = await world.create({
    jobId: 'a',
    schedule: 'every 1h30m',
    timeout: '1m30s',
    retry: { initialDelay: '1m30s', maxDelay: '1h30m' },
  });
  expect(created).toMatchObject({
    status: 201,
    body: {
      schedule: 'every 1h30m',
      nextFireAt: '2026-12-01T10:00:00.000Z',
      timeout: '1m30s',
      retry: { initialDelay: '1m30s', maxDelay: '1h30m' },
      misfire: { policy: 'fire-once' },
    },
  });
  const cron = await world.create({ jobId: 'b', schedule: '30 9 * * MON-FRI' });
  expect(cron.body).toMatchObject({ schedule: '30 9 * * MON-FRI', nextFireAt: '2026-12-01T09:30:00.000Z' });
  const bad = await world.create({ jobId: 'c', schedule: '61 9 * * *' });
  expect(bad).toMatchObject({ status: 400, body: { errors: [{ path: 'schedule' }] } });
});

test('a tag is looked for by the first ":" or "="', async () => {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', tags: { team: 'billing' } });
  await world.create({ jobId: 'b', tags: { 'a=b': 'c' } });
  await world.create({ jobId: 'c', tags: { a: 'b:c' } });
  const found = async (tag: string) => {
    const { body } = await world.call('GET /v1/jobs', {}, undefined, {
      query: new URLSearchParams({ tag }).toString(),
    });
    return body.items.map(({ jobId }: { jobId: string }) => jobId);
  };
  expect(await found('team:billing')).toEqual(['a']);
  expect(await found('team=billing')).toEqual(['a']);
  // A key may contain "=": both readings count.
  expect(await found('a=b:c')).toEqual(['b', 'c']);
  expect(await found('a:b:c')).toEqual(['c']);
  const bad = await world.call('GET /v1/jobs', {}, undefined, { query: 'tag=team' });
  expect(bad.status).toBe(400);
});
