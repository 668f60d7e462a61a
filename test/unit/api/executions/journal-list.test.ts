import { compactInstant } from '../../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import { FakeRandom } from '../../../support/fake-random';
import { allPages } from '../lists';
import { type Answered, ApiWorld } from '../world';
import { endOf, JournalWorld } from './journal-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STATUSES = ['succeeded', 'failed', 'cancelled', 'skipped'] as const;

const idsOf = ({ body }: Answered): string[] =>
  body.items.map((one: { jobId: string; execId: string }) => `${one.execId}#${one.jobId}`);

/** Ends of three days: some are long, or cancelled ahead of their time, and some run again. */
function drawHistory(random: FakeRandom, toMs: number): Execution[] {
  return Array.from({ length: 150 }, (_, at) => {
    const dueAtMs = toMs - Math.floor(random.fraction() * 3 * DAY_MS);
    const lastsMs = random.pick([SECOND_MS, SECOND_MS, MINUTE_MS, 5 * HOUR_MS, -HOUR_MS]);
    return endOf(`job-${at % 7}`, dueAtMs, {
      execId: `${compactInstant(dueAtMs)}-${at}`,
      status: random.pick(STATUSES),
      finishedAtMs: dueAtMs + lastsMs,
    });
  }).sort((a, b) => a.finishedAtMs! - b.finishedAtMs!);
}

async function playedWorld(seed: number): Promise<JournalWorld> {
  const random = new FakeRandom(seed);
  const world = new JournalWorld();
  for (const end of drawHistory(random, world.api.clock.nowMs())) {
    world.put({ ...end, status: 'running', finishedAtMs: undefined });
    world.put(end);
    if (random.fraction() < 0.1) {
      const again = { ...end, userRetries: 1, fence: end.fence + 1 };
      world.put({ ...again, status: 'running' });
      world.put({
        ...again,
        status: random.pick(STATUSES),
        finishedAtMs: end.finishedAtMs! + 10 * MINUTE_MS,
      });
    }
    if (random.fraction() < 0.2) await world.follow(random.between(1, 9), random.fraction() < 0.5);
  }
  while (world.isBehind) await world.follow(random.between(1, 40), random.fraction() < 0.3);
  return world;
}

/** What a list must have, by the rows. */
const expectedIn = (world: JournalWorld, passes: (one: Execution) => boolean): string[] =>
  [...world.rows.values()]
    .filter(passes)
    .map(({ execId, jobKey }) => `${execId}#${jobKey.split('/')[1]}`)
    .toSorted()
    .toReversed();

describe('with the journal, GET /v1/executions', () => {
  it.each([1, 2, 3])(
    'has each end once, in pages of any size, after kills and repeats (seed %d)',
    async (seed) => {
      const world = await playedWorld(seed);
      const nowMs = world.api.clock.nowMs();
      const fromMs = nowMs - 2 * DAY_MS;
      const window = `from=${new Date(fromMs).toISOString()}&to=${new Date(nowMs).toISOString()}`;
      const isIn = ({ dueAtMs }: Execution) => dueAtMs >= fromMs && dueAtMs < nowMs;
      for (const status of ['ended', 'succeeded', 'cancelled'])
        for (const limit of [4, 13, 100]) {
          const pages = await allPages((cursor) =>
            world.list(`${window}&status=${status}&limit=${limit}${cursor}`),
          );
          const passes = (one: Execution) => isIn(one) && (status === 'ended' || one.status === status);
          expect([status, limit, pages.flatMap(idsOf)]).toEqual([status, limit, expectedIn(world, passes)]);
        }
    },
  );

  it('counts all ends of the window by their last status, whatever the page', async () => {
    const world = await playedWorld(5);
    const nowMs = world.api.clock.nowMs();
    const window = `from=${new Date(nowMs - 4 * DAY_MS).toISOString()}&to=${new Date(nowMs).toISOString()}`;
    const { body } = await world.list(`${window}&status=ended&limit=3&counts=true`);
    const countOf = (status: string) =>
      [...world.rows.values()].filter((one) => one.status === status).length;
    expect(body.items).toHaveLength(3);
    expect(body.counts).toEqual({
      ...Object.fromEntries(STATUSES.map((status) => [status, countOf(status)])),
      atLeast: false,
    });
    expect(new Date(body.asOf).getTime()).toBe(nowMs - 20 * SECOND_MS);
  });

  it('leaves out what a user has retried since, and what has no row any more', async () => {
    const world = new JournalWorld();
    const nowMs = world.api.clock.nowMs();
    const [kept, retried] = [endOf('kept', nowMs - HOUR_MS), endOf('retried', nowMs - HOUR_MS)];
    for (const one of [kept, retried]) world.put(one);
    await world.follow();
    world.put({ ...retried, status: 'retrying', userRetries: 1 });
    expect(idsOf(await world.list('status=succeeded'))).toEqual([`${kept.execId}#kept`]);
  });

  it('filters by the jobs as they are, and without a filter has those of deleted jobs', async () => {
    const world = new JournalWorld();
    const nowMs = world.api.clock.nowMs();
    await world.api.create({ jobId: 'a', tags: { team: 'x' } });
    for (const jobId of ['a', 'gone']) world.put(endOf(jobId, nowMs - HOUR_MS));
    await world.follow();
    const idOf = (jobId: string) => `${compactInstant(nowMs - HOUR_MS)}#${jobId}`;
    expect(idsOf(await world.list('status=ended'))).toEqual([idOf('gone'), idOf('a')]);
    const filtered = await world.list('status=ended&tag=team:x&counts=true');
    expect(idsOf(filtered)).toEqual([idOf('a')]);
    expect(filtered.body).toMatchObject({ jobs: 1, counts: { succeeded: 1 } });
  });

  it('says that the journal is younger than the window', async () => {
    const world = new JournalWorld();
    const { body } = await world.list('status=succeeded&counts=true');
    expect(body).toMatchObject({
      complete: false,
      incompleteBecause: ['journal'],
      counts: { atLeast: true },
    });
  });

  it('reads a few rows for a page, however long the day was', async () => {
    const world = new JournalWorld();
    const nowMs = world.api.clock.nowMs();
    for (let at = 400; at > 0; at--) {
      world.put(endOf('a', nowMs - at * MINUTE_MS));
      await world.follow();
    }
    const before = world.api.tables.units().readUnits;
    const { body } = await world.list('status=succeeded&limit=5');
    expect(body.items).toHaveLength(5);
    expect(world.api.tables.units().readUnits - before).toBeLessThan(12);
  });
});

test('without the journal, nothing is counted', async () => {
  const world = new ApiWorld();
  const { body } = await world.call('GET /v1/executions', {}, undefined, {
    query: 'status=ended&counts=true',
  });
  expect(body).toMatchObject({ items: [], counts: null });
});
