import { Histogram, HISTOGRAM_ERROR } from '../../../../lambdas/core/domain/histogram';
import { FakeRandom } from '../../../support/fake-random';
import { ApiWorld, paths } from '../world';
import { endOf, JournalWorld } from './journal-world';

const HOUR_MS = 3_600_000;

const statsOf = (world: JournalWorld | ApiWorld, query = '') =>
  (world instanceof ApiWorld ? world : world.api).call('GET /v1/stats', {}, undefined, { query });

const totals = (world: JournalWorld, query: string) =>
  statsOf(world, query).then(({ body }) => body.total.counts);

describe('GET /v1/stats', () => {
  it('counts ends by the hour in which they were due, each execution once by its last end', async () => {
    const world = new JournalWorld();
    const nowMs = world.api.clock.nowMs();
    const hourMs = nowMs - (nowMs % HOUR_MS) - HOUR_MS;
    world.put(endOf('a', hourMs, { startedAtMs: hourMs + 40, finishedAtMs: hourMs + 340, latenessMs: 40 }));
    world.put(endOf('b', hourMs + 1, { status: 'failed', latenessMs: 40 }));
    world.put(endOf('c', hourMs - 5 * HOUR_MS, { status: 'skipped', skipped: { count: 7 } as never }));
    await world.follow();
    world.put(endOf('b', hourMs + 1, { status: 'succeeded', userRetries: 1, latenessMs: 40 }));
    await world.follow(1_000, true);
    await world.follow();
    const { body } = await statsOf(world);
    expect(body.buckets).toHaveLength(24);
    const filled = body.buckets.filter(({ counts }: { counts: object }) =>
      Object.values(counts).some((count) => count > 0),
    );
    expect(filled.map(({ from, counts }: { from: string; counts: object }) => [from, counts])).toEqual([
      [iso(hourMs - 5 * HOUR_MS), { succeeded: 0, failed: 0, cancelled: 0, skipped: 7 }],
      [iso(hourMs), { succeeded: 2, failed: 0, cancelled: 0, skipped: 0 }],
    ]);
    expect(filled[1]).toMatchObject({ successRate: 1, late: 0, lateness: { p50: 46, max: 40 } });
    // The follower has written the last of these ends just now: it is behind by that much.
    expect(body).toMatchObject({ by: 'hour', complete: true, asOf: iso(hourMs + 1_001) });
    expect(body.total.counts).toEqual({ succeeded: 2, failed: 0, cancelled: 0, skipped: 7 });
  });

  it('is of a job or of the jobs with a tag, by days, and counts what the list of ends has', async () => {
    const world = new JournalWorld();
    const nowMs = world.api.clock.nowMs();
    await world.api.create({ jobId: 'job-1', tags: { team: 'a' } });
    await world.api.create({ jobId: 'job-2', tags: { team: 'b' } });
    const random = new FakeRandom(3);
    for (let at = 0; at < 90; at++)
      world.put(endOf(`job-${at % 3}`, nowMs - 1 - Math.floor(random.fraction() * 9 * 24 * HOUR_MS)));
    await world.follow();
    expect([await totals(world, 'by=day'), await totals(world, 'by=day&job=job-1')]).toEqual([
      expect.objectContaining({ succeeded: 90 }),
      expect.objectContaining({ succeeded: 30 }),
    ]);
    expect(await totals(world, 'by=day&tag=team:b')).toMatchObject({ succeeded: 30 });
    expect(await totals(world, 'by=day&tag=team:b&job=job-1')).toMatchObject({ succeeded: 0 });
    const { body } = await statsOf(world, 'by=hour');
    const { body: list } = await world.list(`counts=true&status=ended&from=${body.from}`);
    expect(list.counts.succeeded).toBe(body.total.counts.succeeded);
  });

  it('says that there is no journal, and refuses windows that are too long', async () => {
    const without = (await statsOf(new ApiWorld())).body;
    expect(without).toMatchObject({
      buckets: [],
      total: null,
      complete: false,
      incompleteBecause: ['journal'],
    });
    const world = new JournalWorld();
    for (const [query, path] of [
      ['from=2026-10-01T00:00:00Z', 'from'],
      ['by=day&from=2024-10-01T00:00:00Z', 'from'],
      ['from=2027-01-01T00:00:00Z', 'to'],
    ])
      expect(paths(await statsOf(world, query))).toEqual([path]);
  });
});

const iso = (ms: number): string => new Date(ms).toISOString();

test('a percentile is never too low, and at most 19 % too high', () => {
  const random = new FakeRandom(11);
  const lengths = Array.from({ length: 500 }, () => Math.round(10 ** (random.fraction() * 7)));
  const histogram = new Histogram();
  for (const length of lengths) histogram.add(length);
  const inOrder = lengths.toSorted((a, b) => a - b);
  for (const share of [0.01, 0.5, 0.95, 0.99, 1]) {
    const exact = inOrder[Math.ceil(share * 500) - 1]!;
    const found = histogram.percentile(share)!;
    expect(found).toBeGreaterThanOrEqual(exact);
    expect(found).toBeLessThanOrEqual(Math.ceil(Math.max(1, exact) * (1 + HISTOGRAM_ERROR)));
  }
  expect(new Histogram().percentile(0.5)).toBeNull();
});
