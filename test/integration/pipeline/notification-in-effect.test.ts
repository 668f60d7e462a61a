import { MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { aJob } from '../../support/factories';
import { observed, putNotification } from '../../support/notified-world';

describe('a notification', () => {
  it.each([
    ['the first of the deployment', []],
    ['the next of its project', ['second']],
    ['changed', ['ops']],
  ])('tells of all that ends after its answer: %s', async (_, before) => {
    const { world, sent, failing } = await observed();
    for (const id of before) await putNotification(world, id, { on: ['late'], lateAfter: '1h' });
    failing.add('backup');
    await world.create(aJob({ jobId: 'backup', schedule: { type: 'none' } }));
    const runs: string[] = [];
    const fail = async () => {
      const { body } = await world.api('runJob', { jobId: 'backup' });
      runs.push((body as { execId: string }).execId);
      await world.run(40 * SECOND_MS); // the sweeper rechecks it, and reads what there is to tell
    };
    await fail();
    await putNotification(world, 'ops', { on: ['failed'] });
    await fail();
    await world.run(20 * SECOND_MS);
    expect(sent.map(({ kind, execId }) => [kind, execId])).toEqual([['failed', runs[1]]]);
  });

  it('is known to a process that has read the others just before its answer', async () => {
    const { world } = await observed();
    await putNotification(world, 'ops', { on: ['failed'] });
    const known = async () => (await world.deps.alerting.notificationsOf('alice')).map(({ id }) => id);
    expect(await known()).toEqual(['ops']);
    await putNotification(world, 'second', { on: ['failed'] });
    expect(await known()).toEqual(['ops', 'second']);
  });

  it('begins anew with a job that has the id of a deleted one', async () => {
    const { world, sent, failing } = await observed();
    await putNotification(world, 'ops', { on: ['failed', 'recovered'], minInterval: '2h' });
    failing.add('backup');
    const schedule = { type: 'cron', expression: '* * * * *', timezone: 'UTC' } as const;
    await world.create(aJob({ jobId: 'backup', schedule }));
    await world.run(3 * MINUTE_MS);
    await world.api('deleteJob', { jobId: 'backup' });
    await world.run(2 * MINUTE_MS);
    const target = { type: 'http', url: 'https://example.com/backup' };
    const again = world.api('putJob', { jobId: 'backup' }, { schedule, target });
    expect((await world.clock.settle(again)).status).toBe(201);
    await world.run(150 * SECOND_MS);
    failing.clear();
    await world.run(3 * MINUTE_MS);
    const failures = world
      .executions({ userId: 'alice', jobId: 'backup' })
      .filter(
        ({ status, finishedAtMs }) => status === 'failed' && finishedAtMs! > sent[0]!.atMs + 3 * MINUTE_MS,
      );
    expect(sent.map(({ kind, jobId, count }) => [kind, jobId, count])).toEqual([
      ['failed', 'backup', 1],
      ['failed', 'backup', 1],
      ['recovered', 'backup', failures.length],
    ]);
  });
});
