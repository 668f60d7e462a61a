import { WaitTimeoutError } from '../../../client';
import { clientOf, json } from './fake-api';

const RANGE = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };
const backfill = (status: string, finishedAt: string | null) => ({
  jobId: 'report',
  execId: 'bf',
  status,
  finishedAt,
});

test('a start has a key, a dry run says so, and both are sent as the API takes them', async () => {
  const { client, seen } = clientOf([
    json(202, backfill('queued', null)),
    json(200, { count: 30, estimate: { writes: 90, dollars: 0 } }),
    json(200, { items: [backfill('queued', null)], nextCursor: null }),
    json(200, { items: [], nextCursor: null }),
  ]);
  await client.backfills.start(
    'etl',
    { ...RANGE, parallel: 3 },
    { idempotencyKey: 'once', note: 'late data' },
  );
  expect(await client.backfills.dryRun('etl', RANGE)).toMatchObject({ count: 30 });
  expect(await client.backfills.list('etl', { limit: 10 }).toArray()).toHaveLength(1);
  expect(await client.backfills.listAll({ status: 'running' }).toArray()).toEqual([]);
  expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/v1/jobs/etl/backfills', { ...RANGE, parallel: 3, dryRun: false }],
    ['POST', '/v1/jobs/etl/backfills', { ...RANGE, dryRun: true }],
    ['GET', expect.stringContaining('/v1/jobs/etl/backfills'), undefined],
    ['GET', expect.stringContaining('/v1/backfills'), undefined],
  ]);
  expect(seen[0]!.headers.get('idempotency-key')).toBe('once');
  expect(seen[0]!.headers.get('quarterjack-note')).toBe('late%20data');
});

test('wait polls until the backfill has ended, and tells of each poll', async () => {
  const { client } = clientOf([
    json(200, backfill('queued', null)),
    json(200, backfill('running', null)),
    json(200, backfill('failed', '2026-12-01T00:00:00.000Z')),
  ]);
  const statuses: string[] = [];
  const ended = await client.backfills.wait('etl', 'bf', {
    intervalMs: 0,
    onProgress: ({ status }) => void statuses.push(status),
  });
  expect(ended.status).toBe('failed');
  expect(statuses).toEqual(['queued', 'running', 'failed']);
});

test('wait gives up after its time', async () => {
  const { client } = clientOf([json(200, backfill('running', null))]);
  const waiting = client.backfills.wait('etl', 'bf', { timeoutMs: 0, intervalMs: 1 });
  await expect(waiting).rejects.toThrow(WaitTimeoutError);
});
