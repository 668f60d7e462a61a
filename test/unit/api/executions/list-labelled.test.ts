import type { Execution } from '../../../../lambdas/core/domain/execution';
import { ApiWorld, type Answered } from '../world';
import { endOf, JournalWorld } from './journal-world';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const idsOf = ({ body }: Answered): string[] => body.items.map(({ execId }: { execId: string }) => execId);

/** A world in which so many executions have ended with a tag, one each two hours. */
async function taggedWorld(count: number, more: (at: number) => Partial<Execution> = () => ({})) {
  const world = new JournalWorld();
  const nowMs = world.api.clock.nowMs();
  const ends = Array.from({ length: count }, (_, at) =>
    endOf(`job-${at % 3}`, nowMs - at * 2 * 60 * MINUTE_MS, { runTags: ['customer:42'], ...more(at) }),
  );
  for (const end of ends) {
    world.put({ ...end, status: 'running', finishedAtMs: undefined, runTags: undefined });
    world.put(end);
  }
  await world.follow();
  return { world, ends };
}

describe('GET /v1/executions with runTag', () => {
  it('lists what ended with the tag over all days, newest first and page by page', async () => {
    const { world, ends } = await taggedWorld(100);
    world.put(endOf('other', world.api.clock.nowMs(), { runTags: ['customer:4'] }));
    await world.follow();
    const found: string[] = [];
    let cursor = '';
    do {
      const answer = await world.list(`runTag=customer:42&limit=30${cursor}`);
      found.push(...idsOf(answer));
      cursor = answer.body.nextCursor ? `&cursor=${encodeURIComponent(answer.body.nextCursor)}` : '';
    } while (cursor !== '');
    expect(found).toEqual(ends.map(({ execId }) => execId));
  });

  it('filters by status, by job and by the window', async () => {
    const { world, ends } = await taggedWorld(10, (at) => (at % 2 === 0 ? { status: 'failed' } : {}));
    const failed = ends.filter(({ status }) => status === 'failed').map(({ execId }) => execId);
    expect(idsOf(await world.list('runTag=customer:42&status=failed'))).toEqual(failed);
    await world.api.create({ jobId: 'job-1' });
    const ofJob = ends.filter(({ jobKey }) => jobKey.endsWith('/job-1')).map(({ execId }) => execId);
    expect(idsOf(await world.list('runTag=customer:42&q=job-1'))).toEqual(ofJob);
    const to = new Date(ends[2]!.dueAtMs).toISOString();
    const from = new Date(ends[4]!.dueAtMs).toISOString();
    expect(idsOf(await world.list(`runTag=customer:42&from=${from}&to=${to}`))).toEqual(
      [ends[3], ends[4]].map((end) => end!.execId),
    );
  });

  it('believes the row: what was written about it, and is not so, is left out', async () => {
    const { world } = await taggedWorld(1);
    const [ref] = [...world.rows.values()];
    await world.api.deps.runLabels.putRunTag(ref!, 'customer:43', 1_800_000_000);
    expect(idsOf(await world.list('runTag=customer:43'))).toEqual([]);
  });

  it('refuses a window of more than 31 days, and counts', async () => {
    const { world } = await taggedWorld(1);
    const to = new Date(world.api.clock.nowMs()).toISOString();
    const from = new Date(world.api.clock.nowMs() - 32 * DAY_MS).toISOString();
    expect((await world.list(`runTag=a&from=${from}&to=${to}`)).body.errors).toEqual([
      { path: 'from', message: 'must be at most 31 days before to, with runTag' },
    ]);
    expect((await world.list('runTag=a&counts=true')).body.errors).toEqual([
      { path: 'counts', message: 'is not possible with runTag or externalId' },
    ]);
  });

  it('says that it may lack what ended before the journal, or without one', async () => {
    const world = new ApiWorld();
    const { body } = await world.call('GET /v1/executions', {}, undefined, { query: 'runTag=a' });
    expect(body).toMatchObject({ complete: false, incompleteBecause: ['journal'], items: [] });
  });
});

describe('GET /v1/executions with externalId', () => {
  it('finds a run at once, before it has started, also if it is due in a year', async () => {
    const { api, list } = new JournalWorld();
    await api.create({ jobId: 'a' });
    const [now, later] = [
      await api.post('a', 'run', { externalId: 'order-1', runTags: ['customer:42'] }),
      await api.post('a', 'run', { externalId: 'order-1', delay: '365d', runTags: ['customer:43'] }),
    ];
    expect(now.body).toMatchObject({ externalId: 'order-1', runTags: ['customer:42'] });
    expect(idsOf(await list('externalId=order-1'))).toEqual([later.body.execId, now.body.execId]);
    expect(idsOf(await list('externalId=order-1&runTag=customer:43'))).toEqual([later.body.execId]);
    expect(idsOf(await list('externalId=order-2'))).toEqual([]);
  });

  it('finds the run of an event, and no longer what a later event has moved to another id', async () => {
    const { api, list } = new JournalWorld();
    const event = (externalId: string) => ({ name: 'paid', externalId });
    const send = (externalId: string) => api.call('POST /v1/events', {}, event(externalId));
    await api.create({ jobId: 'now', schedule: { type: 'event', name: 'paid' } });
    await api.create({ jobId: 'later', schedule: { type: 'event', name: 'paid', debounce: '1m' } });
    await send('order-1');
    expect(idsOf(await list('externalId=order-1'))).toHaveLength(2);
    await send('order-2');
    expect(idsOf(await list('externalId=order-1'))).toHaveLength(1);
    expect(idsOf(await list('externalId=order-2'))).toHaveLength(2);
  });
});

describe('the window of an external id', () => {
  it('has dates from before the retention, as long as they are kept', async () => {
    const world = new JournalWorld();
    const nowMs = world.api.clock.nowMs();
    const made = endOf('a', nowMs - 60 * DAY_MS, { finishedAtMs: nowMs, externalId: 'order-1' });
    world.put(made);
    await world.follow();
    const answer = await world.list('externalId=order-1');
    expect(idsOf(answer)).toEqual([made.execId]);
    expect(answer.body).toMatchObject({ complete: true, incompleteBecause: [] });
    const from = new Date(nowMs - 61 * DAY_MS).toISOString();
    const to = new Date(nowMs - 31 * DAY_MS).toISOString();
    for (const window of [`from=${from}`, `to=${to}`]) {
      const { body } = await world.list(`externalId=order-1&${window}`);
      expect(body).toMatchObject({ items: [{ execId: made.execId }], incompleteBecause: ['retention'] });
    }
  });

  it('ends after it begins', async () => {
    const refusal = async (window: string) =>
      (await new JournalWorld().list(`externalId=order-1&${window}`)).body.errors;
    const at = '2026-12-01T00:00:00.000Z';
    expect(await refusal(`from=${at}&to=${at}`)).toMatchObject([{ path: 'to' }]);
    expect(await refusal('to=1969-12-31T00:00:00.000Z')).toMatchObject([{ path: 'to' }]);
  });
});

test.each([
  ['run', { runTags: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'runTags', 'must have 1 to 5 texts'],
  ['run', { externalId: '' }, 'externalId', 'must have 1 to 128 characters'],
])('%s refuses %j', async (action, body, path, message) => {
  const world = new ApiWorld();
  await world.create({ jobId: 'a' });
  expect((await world.post('a', action as 'run', body)).body.errors).toEqual([{ path, message }]);
});

test('a job refuses templates that can have no value', async () => {
  const world = new ApiWorld();
  const { body } = await world.create({ jobId: 'a', runTags: ['{{ params.x }}'], externalId: '{{ run.x }}' });
  expect(body.errors).toMatchObject([{ path: 'runTags.0' }, { path: 'externalId' }]);
});
