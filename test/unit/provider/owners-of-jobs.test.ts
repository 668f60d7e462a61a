import { DONE, every, jobs, SOURCE, stacks, TARGET } from './stacks';

describe('whose a job is', () => {
  const refused = (Reason: string) => ({ Status: 'FAILED', Reason });

  test('two stacks of one source: neither takes a job of the other, nor removes one', async () => {
    const { create, update, destroy, ids, states } = await stacks();
    const second = { stack: 'Other' };
    await create(jobs('a', 'b'));
    const before = await states();
    expect(await create(jobs('b', 'c'), second)).toMatchObject(
      refused('b is a job of the stack Shop, and not of Other'),
    );
    expect(await states()).toEqual(before);
    await create(jobs('c', 'd'), second);
    await update(jobs('c'), second);
    expect(await ids()).toEqual(['a', 'b', 'c']);
    await destroy(second);
    expect(await states()).toEqual(before);
  });

  test.each([
    ['another program', { 'quarterjack/source': 'shop' }, 'a is a job of shop, and not of billing'],
    ['no program', {}, 'a exists already, and has no source'],
  ])('a job of %s is left alone', async (_, tags, reason) => {
    const { create, states, world } = await stacks();
    await world.api('putJob', { jobId: 'a' }, { ...every(9), target: TARGET, tags });
    const before = await states();
    expect(await create(jobs('a'))).toMatchObject(refused(reason));
    expect(await states()).toEqual(before);
  });

  test('jobs that the command line has deployed are taken over, and go with the stack once it has changed', async () => {
    const { create, update, destroy, ids, world } = await stacks();
    const cli = { ...every(9), target: TARGET, tags: { 'quarterjack/source': SOURCE } };
    await world.api('putJob', { jobId: 'a' }, cli);
    await create(jobs('a'));
    await update(jobs('a'));
    await destroy();
    expect(await ids()).toEqual([]);
  });

  test('a program with another name takes its jobs along, and a rollback gives them back', async () => {
    const { create, destroy, definitions, ids } = await stacks();
    await create(jobs('a', 'b'));
    const before = await definitions();
    const renamed = { logicalId: 'Jobs2', source: 'invoices' };
    const made = await create(jobs('a', 'b'), renamed);
    expect(made).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'alice/Jobs2' });
    await destroy(renamed);
    expect(await definitions()).toEqual(before);
    await create(jobs('a', 'b'), renamed);
    await destroy();
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('a job with another name is a new one, and the old one goes', async () => {
    const { create, update, ids } = await stacks();
    await create(jobs('nightly'));
    expect(await update(jobs('daily'))).toMatchObject(DONE);
    expect(await ids()).toEqual(['daily']);
  });
});
