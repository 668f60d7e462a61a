import { Session } from '../terminal-session';

let session: Session;
beforeEach(async () => {
  session = new Session();
  await session.run("jobs create a --schedule 'rate(1 day)' --http https://t.test/ --tag team=x");
});
afterEach(() => session.end());

test('the changes of a job are listed, newest first, with the fields that each of them set', async () => {
  await session.run('jobs edit a --priority high --tag team=y --note too-late');
  await session.run('jobs pause a');
  const { stdout } = await session.run('jobs changes a');
  expect(stdout).toMatch(/^NUMBER +AT +BY +WHAT +FIELDS +NOTE\n3 .*alice +paused/);
  expect(stdout).toMatch(/\n2 .*alice +changed +priority, tags.team +too-late *\n1 .*created/);
  expect(await session.json('jobs changes a 2')).toMatchObject({
    number: 2,
    patch: { priority: 'high', tags: { team: 'y' } },
  });
  expect((await session.run('jobs changes a 2')).stdout).toMatch(
    /^change +2\nwhat +changed\n[^]*\nfields +priority, tags.team\n[^]*\ntarget +POST https:\/\/t.test\//,
  );
});

test('a job is restored, also after it was deleted', async () => {
  await session.run('jobs edit a --priority high');
  expect((await session.run('jobs restore a 1 --note undo')).stdout).toMatch(/^Restored change 1 of a\.\n/);
  expect(await session.json('jobs get a')).toMatchObject({ priority: 'medium', note: 'undo' });
  await session.run('jobs delete a --yes');
  expect((await session.run('jobs restore a 2')).exitCode).toBe(0);
  expect(await session.json('jobs get a')).toMatchObject({ priority: 'high' });
  expect((await session.run('jobs changes a')).stdout).toMatch(/\n5 .*restored 2 [^]*\n4 .*deleted/);
});

test('a number that is none is rejected', async () => {
  expect(await session.run('jobs restore a x')).toMatchObject({ exitCode: 3 });
  expect(await session.run('jobs changes a 9')).toMatchObject({ exitCode: 5 });
});
