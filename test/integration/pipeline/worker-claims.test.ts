import { instantText } from '../../../lambdas/core/clock/clock';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { isClaim } from '../../support/fault-points';
import { killBetween, putsAttemptEntry } from '../../support/kill-between';
import { MINUTE_MS, offered, SECOND_MS, target } from '../../support/offered-work';

const removesTicket = ({ command, input }: Call) =>
  command === 'DeleteCommand' && String((input.Key as { bucket?: string }).bucket).startsWith('#work#');

describe('claims of several workers', () => {
  const works = { schedule: { type: 'none' as const }, timeout: '3h' };

  test('at once get each execution once, whatever they ask for', async () => {
    const { world, job, claim } = await offered(works);
    for (let runs = 0; runs < 7; runs++) await world.api('runJob', { jobId: job.jobId });
    await world.run(3 * SECOND_MS);
    const claims = await Promise.all([10, 3, 1, 10, 2].map((max, n) => claim({ max, worker: `w${n}` })));
    const claimed = claims.flat();
    expect(claimed).toHaveLength(7);
    expect(new Set(claimed.map(({ execId }) => execId)).size).toBe(7);
    expect(claimed.every(({ fence }) => fence === 1)).toBe(true);
    expect(world.errors()).toEqual([]);
  });

  test('one dies between the entry of its lease and its claim: another one gets its work', async () => {
    const { world, claim, report } = await offered();
    const isKilled = killBetween(world, 'worker', [putsAttemptEntry, isClaim]);
    void claim().catch(() => undefined);
    await world.run(3 * MINUTE_MS);
    expect(isKilled()).toBe(true);
    const [work, ...others] = await claim({ max: 10 });
    expect(others).toEqual([]);
    expect((await report('completeAttempt', work!, {})).status).toBe(200);
  });

  test('one dies between its claim and the removal of the ticket: its lease runs out, and no other is handed out', async () => {
    const { world, claim, tickets, report } = await offered();
    const isKilled = killBetween(world, 'worker', [isClaim, removesTicket]);
    void claim().catch(() => undefined);
    await world.run(SECOND_MS);
    expect(isKilled()).toBe(true);
    expect(tickets()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    expect(tickets()).toEqual([]);
    await world.run(2 * MINUTE_MS);
    const [work] = await claim();
    expect(work).toMatchObject({ attempt: 2, fence: 2 });
    expect((await report('completeAttempt', work!, {})).status).toBe(200);
  });
});

test('the list of queues has the workers of each, if it is asked for', async () => {
  const { world, claim } = await offered();
  for (const queue of ['spare', 'warehouse'])
    await world.api('putJob', { jobId: queue }, { schedule: { type: 'none' }, target: { ...target, queue } });
  await claim({ worker: 'old' });
  await world.run(61 * MINUTE_MS);
  await claim({ worker: 'w1' });
  await claim({ worker: 'w1', queue: 'spare' });
  await claim({ worker: 'w2', queue: 'spare' });
  const list = async (query: Record<string, string[]>) => {
    const found = await world.api(
      'listWorkQueues',
      {},
      undefined,
      {},
      { query: new Map(Object.entries(query)) },
    );
    return (found.body as { items: { queue: string; workers?: object[] }[] }).items;
  };
  const seen = (worker: string) => ({ worker, lastSeenAt: instantText(world.clock.nowMs()) });
  expect((await list({ workers: ['true'] })).map(({ queue, workers }) => [queue, workers])).toEqual([
    ['spare', [seen('w1'), seen('w2')]],
    ['warehouse', [seen('w1')]],
  ]);
  expect((await list({})).map(({ queue, workers }) => [queue, workers])).toEqual([
    ['spare', undefined],
    ['warehouse', undefined],
  ]);
});
