import type { ApiResponse } from '../../../lambdas/api/request';
import { callerOf } from '../../support/caller';
import { newJobAt } from '../../support/new-job';
import { offered, SECOND_MS, target } from '../../support/offered-work';

describe('a claim', () => {
  test('that is repeated with its key gets the same work, and with another body 422', async () => {
    const { world, claim } = await offered();
    const key = { 'idempotency-key': 'claim-1' };
    const first = await claim({ max: 2 }, key);
    expect(first).toHaveLength(1);
    await world.run(2 * SECOND_MS);
    expect(await claim({ max: 2 }, key)).toEqual(first);
    const { status } = await world.api('claimWork', {}, { queue: 'warehouse', max: 3 }, key);
    expect(status).toBe(422);
  });

  // The process of the first claim died before the record of its key.
  test('of another body gets no work that its key has claimed', async () => {
    const { world, job, claim } = await offered();
    const key = { 'idempotency-key': 'claim-1' };
    world.dynamo.faults.before = async ({ command }) => {
      if (command === 'DeleteCommand') throw new Error('the process dies');
    };
    await world.api('claimWork', {}, { queue: 'warehouse', worker: 'host-1' }, key);
    world.dynamo.faults.before = undefined;
    expect(world.executions(job)).toMatchObject([{ status: 'running', worker: 'host-1' }]);
    expect(await claim({ worker: 'host-2' }, key)).toEqual([]);
  });

  test('that waits gets work within a second of its due time', async () => {
    const { world, claim } = await offered();
    await claim();
    const schedule = { type: 'at' as const, at: new Date(world.clock.nowMs() + 8 * SECOND_MS).toISOString() };
    await world.create(newJobAt(world, { jobId: 'next', schedule, target }));
    const waiting = claim({ wait: '20s' });
    await world.run(10 * SECOND_MS);
    const [work] = await waiting;
    expect(work!.jobId).toBe('next');
    expect(Date.parse(work!.claimedAt) - Date.parse(work!.dueAt)).toBeLessThan(1_000);
  });

  test('that waits in vain answers with nothing after its time, and gives its place back', async () => {
    const { world, claim } = await offered();
    await claim();
    const waiting = claim({ wait: '5s' });
    await world.run(6 * SECOND_MS);
    expect(await waiting).toEqual([]);
    const [row] = world.tables.rows('schedule').filter(({ bucket }) => String(bucket).startsWith('#waits#'));
    expect(Object.keys(row!).filter((name) => name.startsWith('until'))).toEqual([]);
  });

  test('beyond the places of its project, or of all projects, does not wait', async () => {
    const { world } = await offered({ target: { ...target, queue: 'another' } });
    const wait = (project: string) =>
      world.api('claimWork', {}, { queue: 'warehouse', wait: '5s' }, {}, callerOf(project, 'work'));
    const tooMany = { work: [], retryAfter: 5 };
    const waiting: Promise<ApiResponse>[] = [];
    for (const project of ['ann', 'bob', 'cleo']) {
      waiting.push(...Array.from({ length: 20 }, () => wait(project)));
      await world.run(SECOND_MS);
      expect((await wait(project)).body).toEqual(tooMany);
    }
    expect((await wait('dan')).body).toEqual(tooMany);
    await world.run(6 * SECOND_MS);
    expect((await Promise.all(waiting)).map(({ body }) => body)).toEqual(waiting.map(() => ({ work: [] })));
    const later = wait('dan');
    await world.run(6 * SECOND_MS);
    expect((await later).body).toEqual({ work: [] });
  });

  test('that has waited for a process waits no longer, and claims nothing for a caller that has gone', async () => {
    const { world, job } = await offered();
    const claimed = (agoMs: number) =>
      world.api(
        'claimWork',
        {},
        { queue: 'warehouse', wait: '20s' },
        {},
        {
          receivedAtMs: world.clock.nowMs() - agoMs,
        },
      );
    expect((await claimed(25 * SECOND_MS)).body).toEqual({ work: [] });
    expect(world.executions(job)).toEqual([]);
    expect((await claimed(10 * SECOND_MS)).body).toMatchObject({ work: [{ jobId: job.jobId }] });
    let isAnswered = false;
    void claimed(10 * SECOND_MS).then(() => (isAnswered = true));
    await world.run(9 * SECOND_MS);
    expect(isAnswered).toBe(false);
    await world.run(2 * SECOND_MS);
    expect(isAnswered).toBe(true);
  });
});
