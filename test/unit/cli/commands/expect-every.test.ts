import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

test('a job is created with --expect-every, shown with it, and edited', async () => {
  const options = "--schedule 'rate(1 day)' --http https://t.test/ --expect-every 25h";
  expect(await session.run(`jobs create a ${options}`)).toMatchObject({ exitCode: 0 });
  expect((await session.run('jobs get a')).stdout).toMatch(/\nexpect every +25h\n/);
  expect(await session.run('jobs edit a --expect-every 50h')).toMatchObject({ exitCode: 0 });
  expect((await session.run('jobs get a')).stdout).toMatch(/\nexpect every +50h\n/);
});

test('a value out of range is refused with the range', async () => {
  const options = "--schedule 'rate(1 day)' --http https://t.test/ --expect-every 1m";
  const refused = await session.run(`jobs create a ${options}`);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('must be from 5m to 400d');
});
