import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import type { Reason } from '../../../../lambdas/core/domain/reason';
import { anExecution } from '../../../support/factories';
import { bulk, failed } from '../bulk/bulk-calls';
import { ApiWorld, paths } from '../world';

const MINUTE_MS = 60_000;
const HTTP = { statusCode: 503, error: 'target answered 503', host: 'billing.example.com' };
const FINGERPRINT = 'failed/fatal/status/503/billing.example.com';

const failures = (world: ApiWorld, query = '') => world.call('GET /v1/failures', {}, undefined, { query });

/** Writes the row of an occurrence that was skipped, `minutes` ago. */
const skipped = (
  world: ApiWorld,
  jobId: string,
  minutes: number,
  { reason = 'misfire' as Reason, ...more }: Partial<Omit<Execution, 'attempts'>> = {},
) => {
  const dueAtMs = world.clock.nowMs() - minutes * MINUTE_MS;
  const row = { status: 'skipped', reason, finishedAtMs: dueAtMs + 5, fence: 0 } as const;
  return world.deps.ends.putEnded(
    anExecution({
      jobKey: world.jobKey(jobId),
      dueAtMs,
      startedAtMs: undefined,
      attempts: [],
      ...row,
      ...more,
    }),
  );
};

const everyMinute = { schedule: { type: 'interval', every: '1m', anchor: '2026-12-01T00:00:00Z' } };

async function worldWith(...jobIds: string[]): Promise<ApiWorld> {
  const world = new ApiWorld();
  for (const jobId of jobIds) await world.create({ jobId, ...everyMinute, tags: { team: jobId } });
  return world;
}

describe('the inbox of failures', () => {
  it('leaves out what a user asked for', async () => {
    const world = await worldWith('a');
    for (const [at, reason] of (['paused', 'deleted', 'superseded', 'overlap', 'misfire'] as const).entries())
      await skipped(world, 'a', 2 * at + 1, { reason });
    await failed(world, 'a', 20 * MINUTE_MS, { reason: 'crashed' });
    const reasons = async (query: string) =>
      (await failures(world, query)).body.items.map(({ reason }: { reason: string }) => reason);
    expect(await reasons('view=inbox')).toEqual(['overlap', 'misfire', 'crashed']);
    expect(await reasons('view=inbox&status=skipped')).toEqual(['overlap', 'misfire']);
    expect(await reasons('')).toHaveLength(6);
  });

  it('shows neighbouring skips of a job as one, also with other jobs between them', async () => {
    const world = await worldWith('a', 'b');
    for (const minutes of [1, 2, 3, 4, 6]) await skipped(world, 'a', minutes);
    for (const minutes of [2, 3, 4]) await skipped(world, 'b', minutes, { reason: 'overlap' });
    const shown = (await failures(world, 'view=inbox')).body.items.map(
      ({
        jobId,
        reason,
        skipped: range,
      }: {
        jobId: string;
        reason: string;
        skipped: { count: number } | null;
      }) => [jobId, reason, range?.count ?? 1],
    );
    expect(shown).toEqual([
      ['a', 'misfire', 4],
      ['b', 'overlap', 3],
      ['a', 'misfire', 1],
    ]);
  });

  it('has every row on one page, whatever the size of the pages', async () => {
    const world = await worldWith('a', 'b', 'c');
    for (let minutes = 1; minutes <= 6; minutes++)
      for (const jobId of ['a', 'b', 'c'])
        if ((minutes + jobId.charCodeAt(0)) % 5 !== 0) await skipped(world, jobId, minutes);
    for (const limit of [1, 3, 100]) {
      let count = 0;
      let cursor = '';
      for (let pages = 0; pages < 60; pages++) {
        const { body } = await failures(world, `view=inbox&limit=${limit}${cursor}`);
        expect(body.items.length).toBeLessThanOrEqual(limit);
        for (const { skipped: range } of body.items as { skipped: { count: number } | null }[])
          count += range?.count ?? 1;
        if (body.nextCursor === null) break;
        cursor = `&cursor=${body.nextCursor as string}`;
      }
      expect({ limit, count }).toEqual({ limit, count: 14 });
    }
  });
});

describe('filters of failures', () => {
  it('are tag, host, fingerprint and blocksKey', async () => {
    const world = await worldWith('a', 'b');
    await failed(world, 'a', MINUTE_MS, { record: HTTP });
    await failed(world, 'b', 2 * MINUTE_MS, { record: { ...HTTP, host: 'other.example.com:8443' } });
    await failed(world, 'b', 3 * MINUTE_MS, { blocksKey: true, orderingKey: 'k', record: HTTP });
    await failed(world, 'gone', 4 * MINUTE_MS, { record: HTTP });
    const jobIds = async (query: string) =>
      (await failures(world, query)).body.items.map(({ jobId }: { jobId: string }) => jobId);
    expect(await jobIds('host=billing.example.com')).toEqual(['a', 'b', 'gone']);
    expect(await jobIds('host=other.example.com:8443')).toEqual(['b']);
    expect(await jobIds(`fingerprint=${encodeURIComponent(FINGERPRINT)}`)).toEqual(['a', 'b', 'gone']);
    expect(await jobIds('blocksKey=true')).toEqual(['b']);
    expect(await jobIds('tag=team:b&host=billing.example.com')).toEqual(['b']);
    // By the tags that jobs have now.
    await world.patch('a', { tags: { team: 'b' } });
    expect(await jobIds('tag=team:b')).toEqual(['a', 'b', 'b']);
    expect(await jobIds('tag=team:a')).toEqual([]);
  });
});

describe('host and fingerprint of an execution', () => {
  it('are those of what failed last', async () => {
    const world = await worldWith('a');
    const execId = await failed(world, 'a', MINUTE_MS, { record: HTTP });
    const get = () => world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId });
    expect((await get()).body).toMatchObject({ host: HTTP.host, fingerprint: FINGERPRINT });
    expect(JSON.stringify((await get()).body.attempts)).not.toContain('host');
  });
});

describe('failures by fingerprint', () => {
  const groups = async (world: ApiWorld, query = '') =>
    (await failures(world, `group=fingerprint${query}`)).body;

  it('are counted, with skips by their occurrences', async () => {
    const world = await worldWith('a', 'b');
    const latest = await failed(world, 'b', MINUTE_MS, { record: HTTP });
    // Due before the other one of its cause, and ended after it.
    await failed(world, 'a', 3 * MINUTE_MS, { record: HTTP, blocksKey: true, tookMs: 2.5 * MINUTE_MS });
    await failed(world, 'a', 2 * MINUTE_MS, {
      record: { statusCode: undefined, error: 'connect ECONNREFUSED 10.0.0.1:443', host: HTTP.host },
    });
    const nowMs = world.clock.nowMs();
    await skipped(world, 'a', 60, {
      skipped: { fromMs: nowMs - 60 * MINUTE_MS, toMs: nowMs - 51 * MINUTE_MS, count: 10 },
    });
    await skipped(world, 'a', 90, { reason: 'paused' });
    expect(await groups(world, '&view=inbox')).toEqual({
      groups: [
        {
          fingerprint: FINGERPRINT,
          status: 'failed',
          reason: 'fatal',
          errorClass: 'status',
          statusCode: 503,
          host: HTTP.host,
          task: null,
          excerpt: null,
          count: 2,
          countIs: 'exact',
          jobs: 2,
          blocksKey: true,
          firstDueAt: new Date(nowMs - 3 * MINUTE_MS).toISOString(),
          lastDueAt: new Date(nowMs - MINUTE_MS).toISOString(),
          firstEndedAt: new Date(nowMs - MINUTE_MS + 5).toISOString(),
          lastEndedAt: new Date(nowMs - 0.5 * MINUTE_MS).toISOString(),
          latest: { jobId: 'b', execId: latest },
          first: { jobId: 'a', execId: '20261201T082700.000Z' },
          ack: null,
        },
        expect.objectContaining({ fingerprint: 'failed/fatal/refused/-/billing.example.com', count: 1 }),
        expect.objectContaining({ fingerprint: 'skipped/misfire/-/-/-', count: 10, statusCode: null }),
      ],
      rows: 5,
      complete: true,
      incompleteBecause: [],
    });
    expect((await groups(world, '&tag=team:b')).groups).toHaveLength(1);
  });

  it('are split by what the targets say, which is shown, and selects them', async () => {
    const world = await worldWith('a', 'b', 'c');
    await failed(world, 'a', MINUTE_MS, { record: HTTP, body: 'UniqueViolation: key 7' });
    await failed(world, 'b', 2 * MINUTE_MS, { record: HTTP, body: 'UniqueViolation: key 8' });
    await failed(world, 'c', 3 * MINUTE_MS, { record: HTTP, body: 'upstream_unavailable' });
    const { groups: found } = await groups(world);
    expect(found).toMatchObject([
      {
        count: 2,
        excerpt: 'UniqueViolation: key 7',
        fingerprint: expect.stringContaining(`${FINGERPRINT}/`) as string,
      },
      { count: 1, excerpt: 'upstream_unavailable' },
    ]);
    const { items } = (await failures(world, `fingerprint=${encodeURIComponent(found[0].fingerprint)}`)).body;
    expect(
      items.map(({ jobId, excerpt }: Execution & { jobId: string; excerpt: string }) => [jobId, excerpt]),
    ).toEqual([
      ['a', 'UniqueViolation: key 7'],
      ['b', 'UniqueViolation: key 8'],
    ]);
    const filter = { fingerprint: found[0].fingerprint };
    expect((await bulk(world, { action: 'retry', filter })).body).toMatchObject({ done: 2 });
  });

  it('say that counts are lower bounds, after 10,000 rows or ten seconds', async () => {
    const world = new ApiWorld();
    const row = anExecution({ jobKey: world.jobKey('a'), status: 'failed', reason: 'fatal' });
    const page = (count: number) => Array.from({ length: count }, () => row);
    world.deps.executions.listFailures = (_user, { limit }) =>
      Promise.resolve({ executions: page(limit), nextAfter: 'more' });
    expect(await groups(world)).toMatchObject({
      groups: [{ count: 10_000, countIs: 'at-least' }],
      rows: 10_000,
      complete: false,
      incompleteBecause: ['rows'],
    });
    world.deps.executions.listFailures = async () => {
      await world.clock.advance(6_000);
      return { executions: page(3), nextAfter: 'more' };
    };
    expect(await groups(world)).toMatchObject({
      groups: [{ count: 6, countIs: 'at-least' }],
      incompleteBecause: ['time'],
    });
  });

  it('take no page', async () => {
    const world = new ApiWorld();
    expect(paths(await failures(world, 'group=fingerprint&limit=5'))).toEqual(['limit']);
    expect(paths(await failures(world, 'group=reason'))).toEqual(['group']);
    expect(paths(await failures(world, 'view=all'))).toEqual(['view']);
    expect(
      (await groups(world, `&from=${new Date(world.clock.nowMs() - 9 * DAY_MS).toISOString()}`)).rows,
    ).toBe(0);
  });
});
