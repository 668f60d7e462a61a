import { DAY_MS, HOUR_MS, instantText } from '../../../lambdas/core/clock/clock';
import type { DeployedJob } from '../../../lambdas/core/contracts/custom-resources';
import type { StoredJob } from '../../../lambdas/provider/project-jobs';
import type { ProjectApi } from '../../../lambdas/provider/project-api';
import { T0_MS } from '../../support/factories';
import { answering } from './provider-world';
import { DONE, every, jobs, numbered, SOURCE, stacks, TARGET } from './stacks';

describe('jobs of a manifest', () => {
  test('are added, changed and removed with it, and what has not changed is left alone', async () => {
    const { create, update, destroy, ids, states } = await stacks();
    expect(await create(jobs('keep', 'change', 'remove'))).toMatchObject(DONE);
    const next = [...jobs('keep', 'add'), { jobId: 'change', definition: every(7) }];
    expect(await update(next)).toMatchObject(DONE);
    expect(await states()).toEqual([
      ['add', 'active', 1],
      ['change', 'active', 2],
      ['keep', 'active', 1],
    ]);
    expect(await destroy()).toMatchObject({ Status: 'SUCCESS' });
    expect(await ids()).toEqual([]);
  });

  test('have the target of the stack, and tags that say whose they are', async () => {
    const { create, world } = await stacks();
    await create([{ jobId: 'a', definition: { ...every(5), tags: { team: 'x' } } }]);
    const { body } = await world.api('getJob', { jobId: 'a' });
    expect(body).toMatchObject({
      target: TARGET,
      tags: { team: 'x', 'quarterjack/source': SOURCE, 'quarterjack/resource': 'Shop/Jobs' },
    });
  });

  test('are made in the order in which they wait for each other', async () => {
    const { create, ids } = await stacks();
    const after = (jobId: string, upstream: string): DeployedJob => ({
      jobId,
      definition: { schedule: { type: 'after', jobs: [upstream] } },
    });
    const others = numbered(120).map((id) => jobs(id)[0]!);
    expect(await create([after('a', 'b'), after('b', 'z'), ...others, ...jobs('z')])).toMatchObject(DONE);
    expect(await ids()).toHaveLength(100);
  });

  test('a new one that is to be paused is never active with its schedule; another one is paused or resumed', async () => {
    const { create, update, states, world } = await stacks();
    const paused = (is: boolean) => [{ jobId: 'a', paused: is, definition: every(1) }];
    await create(paused(true));
    await world.run(5 * 60_000);
    expect(world.executions({ userId: 'alice', jobId: 'a' })).toEqual([]);
    const [[, , changes] = []] = await states();
    await update(paused(false));
    expect(await states()).toEqual([['a', 'active', Number(changes) + 1]]);
    await update(paused(true));
    expect(await states()).toEqual([['a', 'paused', Number(changes) + 2]]);
  });

  test('wait for an API that is busy', async () => {
    const { create, deps, ids, world } = await stacks();
    let busy = 2;
    const api = answering(deps.api, ({ operation, body }) => {
      if (operation !== 'createJobs' || busy-- <= 0) return undefined;
      const { jobs: items } = body as { jobs: unknown[] };
      const problem = { detail: 'quota' };
      return { status: 207, body: { outcomes: items.map((_, index) => ({ index, status: 429, problem })) } };
    });
    const response = create(jobs('a', 'b'), {}, { ...deps, api });
    await world.run(6_000);
    expect(await response).toMatchObject(DONE);
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('of which one has a past time do not stand in the way of a later deployment', async () => {
    const { create, update, ids, world } = await stacks();
    const at = new Date(world.clock.nowMs() + 60_000).toISOString();
    const once = { jobId: 'once', definition: { schedule: { type: 'at', at } } };
    await create([once]);
    await world.run(120_000);
    expect(await update([once, ...jobs('next')])).toMatchObject(DONE);
    expect(await ids()).toEqual(['next', 'once']);
  });
});

describe('a change that fails leaves all jobs as they were', () => {
  const BAD = { jobId: 'bad', definition: every(0) };
  const next = [...jobs('new'), { jobId: 'change', definition: every(7) }];

  test('if the API refuses one of them, in its words', async () => {
    const { create, update, definitions } = await stacks();
    await create(jobs('change', 'remove'));
    const before = await definitions();
    const { Status, Reason } = await update([...next, BAD]);
    expect([Status, Reason]).toEqual([
      'FAILED',
      expect.stringMatching(/^bad: the API answered 400: .*every/),
    ]);
    expect(await definitions()).toEqual(before);
  });

  test('if the last step fails: removed ones come back, paused ones are paused', async () => {
    const { create, update, definitions, deps, world } = await stacks();
    await create(jobs('change', 'remove', 'stays'));
    await world.api('pauseJob', { jobId: 'change' });
    const before = await definitions();
    let removed = 0;
    const api = answering(deps.api, ({ operation }) =>
      operation === 'deleteJob' && removed++ === 1 ? { status: 500, body: { title: 'lost' } } : undefined,
    );
    const wanted = [{ jobId: 'change', paused: false, definition: every(7) }];
    expect(await update(wanted, {}, { ...deps, api })).toMatchObject({
      Status: 'FAILED',
      Reason: 'the API answered 500: lost',
    });
    expect(removed).toBe(2);
    expect(await definitions()).toEqual(before);
  });

  test('if the last step fails: a pause has its end again, unless that is over', async () => {
    const { create, update, deps, world } = await stacks();
    const ids = ['changed', 'removed', 'over', 'endless'];
    await create([...jobs(...ids), ...jobs('too')]);
    const until = instantText(T0_MS + DAY_MS);
    const soon = instantText(T0_MS + HOUR_MS);
    for (const jobId of ids)
      await world.api(
        'pauseJob',
        { jobId },
        jobId === 'endless' ? {} : { until: jobId === 'over' ? soon : until },
      );
    const states = async () =>
      Promise.all(
        ids.map(async (jobId) => {
          const { status, pausedUntil } = (await world.api('getJob', { jobId })).body as StoredJob;
          return pausedUntil ?? status;
        }),
      );
    expect(await states()).toEqual([until, until, soon, 'paused']);
    const api: ProjectApi = async (project, call) => {
      if (call.operation !== 'deleteJob' || call.pathParameters?.jobId !== 'too')
        return deps.api(project, call);
      await deps.api(project, { ...call, pathParameters: { jobId: 'removed' } });
      await world.clock.advance(2 * HOUR_MS);
      return { status: 500, body: { title: 'lost' } };
    };
    const active = ['changed', 'over', 'endless'].map((jobId) => ({ ...jobs(jobId)[0]!, paused: false }));
    expect(await update(active, {}, { ...deps, api })).toMatchObject({
      Reason: 'the API answered 500: lost',
    });
    expect(await states()).toEqual([until, until, 'active', 'paused']);
  });

  test('if the last step fails while a pause ends: the job is active, as it would be', async () => {
    const { create, update, deps, world } = await stacks();
    const ids = ['changed', 'removed'];
    await create([...jobs(...ids), ...jobs('too')]);
    const until = instantText(T0_MS + HOUR_MS);
    for (const jobId of ids) await world.api('pauseJob', { jobId }, { until });
    const refused: unknown[] = [];
    const api: ProjectApi = async (project, call) => {
      if (call.operation === 'deleteJob' && call.pathParameters?.jobId === 'too') {
        await deps.api(project, { ...call, pathParameters: { jobId: 'removed' } });
        return { status: 500, body: { title: 'lost' } };
      }
      if (call.operation === 'pauseJob' && world.clock.nowMs() < T0_MS + HOUR_MS)
        await world.clock.advance(HOUR_MS);
      const answer = await deps.api(project, call);
      if (call.operation === 'pauseJob' && answer.status === 400) refused.push(call.pathParameters?.jobId);
      return answer;
    };
    const changed = [{ ...jobs('changed')[0]!, paused: false }];
    expect(await update(changed, {}, { ...deps, api })).toMatchObject({
      Reason: 'the API answered 500: lost',
    });
    expect(refused).toEqual(['removed']);
    for (const jobId of ids)
      expect((await world.api('getJob', { jobId })).body).toMatchObject({ status: 'active' });
  });

  test('if a creation fails, nothing is left, and its rollback does nothing', async () => {
    const { create, destroy, ids } = await stacks();
    const { PhysicalResourceId } = await create([...jobs('a'), BAD]);
    expect(PhysicalResourceId).toMatch(/^failed:/);
    expect(await ids()).toEqual([]);
    expect(await destroy()).toMatchObject({ Status: 'SUCCESS' });
  });

  test('if the manifest cannot be read', async () => {
    const { create, manifests, deps } = await stacks();
    const readManifest = (url: string) => deps.readManifest(`${url}?`);
    expect(await create(jobs('a'), {}, { ...deps, readManifest })).toMatchObject({ Status: 'FAILED' });
    expect(manifests.size).toBe(1);
  });
});

describe('a rollback', () => {
  test('is an update to the manifest before: removed jobs are there again, and new ones are gone', async () => {
    const { create, update, definitions } = await stacks();
    await create(jobs('a', 'b'));
    const before = await definitions();
    const after = [...jobs(...numbered(20)), { jobId: 'b', definition: every(9) }];
    expect(await update(after)).toMatchObject(DONE);
    // Most jobs go, and no one has allowed it: these are new.
    expect(await update(jobs('a', 'b'))).toMatchObject(DONE);
    expect(await definitions()).toEqual(before);
  });

  test('of a creation gives jobs back that it had taken over', async () => {
    const { create, destroy, definitions, world } = await stacks();
    const cli = { ...every(9), target: TARGET, tags: { 'quarterjack/source': SOURCE } };
    await world.api('putJob', { jobId: 'a' }, cli);
    const before = await definitions();
    expect(await create(jobs('a', 'b'))).toMatchObject(DONE);
    await destroy();
    expect(await definitions()).toEqual(before);
  });
});

describe('much is removed only if that is allowed', () => {
  const five = numbered(5);

  test.each<[string, string[], number]>([
    ['more than half and more than three', five.slice(0, 1), 4],
    ['all', [], 5],
  ])('%s', async (_, left, count) => {
    const { create, update, ids, world } = await stacks();
    await create(jobs(...five));
    world.clock.stepWall(DAY_MS);
    expect(await update(jobs(...left))).toMatchObject({
      Status: 'FAILED',
      Reason: `this would remove ${count} of 5 jobs: if that is meant, set allowRemovals to ${count}`,
    });
    expect(await ids()).toEqual(five);
    expect(await update(jobs(...left), { allowRemovals: count })).toMatchObject(DONE);
    expect(await ids()).toEqual(left);
  });

  test('a few go without a word, and so does the whole resource', async () => {
    const { create, update, destroy, ids, world } = await stacks();
    await create(jobs(...five));
    world.clock.stepWall(DAY_MS);
    expect(await update(jobs(...five.slice(0, 2)))).toMatchObject(DONE);
    await destroy();
    expect(await ids()).toEqual([]);
  });
});
