import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { tooMany } from '../../../lambdas/api/http/problem';
import { monitored } from '../../support/monitor-world';
import type { PipelineWorld } from '../../support/pipeline-world';
import { setKey, withKey } from '../../support/project-key-world';

describe('the route that makes monitors', () => {
  const provision = (world: PipelineWorld, url: string, body: object) =>
    world.api(
      'provisionMonitor',
      {},
      body,
      { authorization: `Bearer ${url.split('/').at(-1)}`, 'quarterjack-note': 'by me' },
      { caller: undefined },
    );

  it('takes the key alone for the right', async () => {
    const { world, url } = await withKey();
    for (const key of [url, `${url.slice(0, -1)}!`, 'other', await monitored(world)])
      expect(await provision(world, key, { jobId: 'new' })).toMatchObject({ status: 401 });
    await setKey(world, { allowCreate: true });
    expect(await provision(world, url, { jobId: 'Upper' })).toMatchObject({ status: 400 });
    expect(await provision(world, url, { jobId: 'new' })).toMatchObject({ status: 201 });
    expect(await provision(world, url, { jobId: 'new' })).toMatchObject({ status: 200 });
    expect((await world.api('getJob', { jobId: 'new' })).body).not.toHaveProperty('note');
  });

  it('counts as a request of the project', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    const charged = jest.spyOn(world.nodes.of('api').quotas, 'chargeRate');
    expect(await provision(world, url, { jobId: 'new' })).toMatchObject({ status: 201 });
    expect(charged.mock.calls.filter(([, rate]) => rate === 'requests')).toEqual([['alice', 'requests']]);
    charged.mockRejectedValueOnce(tooMany('no more requests', MINUTE_MS));
    expect(await provision(world, url, { jobId: 'new' })).toMatchObject({ status: 429 });
  });

  it('takes a monitor back from the count that was not made', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    const { create } = world.nodes.of('api').jobs;
    world.nodes.of('api').jobs.create = async () => ({ outcome: 'exists' }) as never;
    expect(await provision(world, url, { jobId: 'new' })).toMatchObject({ status: 409 });
    world.nodes.of('api').jobs.create = create;
    const rows = world.tables.rows('jobs', ({ made }) => made !== undefined);
    expect(rows).toMatchObject([{ made: 0, madeInMinute: 1 }]);
  });
});
