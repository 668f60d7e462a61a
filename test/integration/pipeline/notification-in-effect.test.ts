import { SECOND_MS } from '../../../lambdas/core/clock/clock';
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
});
