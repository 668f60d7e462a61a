import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

test('shows local and UTC times, and the effect of a clock change', async () => {
  const { stdout } = await session.run(
    "preview '30 2 * * *' --timezone America/New_York --from 2027-03-13T12:00:00Z --count 2",
  );
  const [description, , head, gap, next] = stdout.split('\n');
  expect(description).toContain('02:30');
  expect(head).toMatch(/^LOCAL +UTC/);
  expect(gap).toMatch(/^Sun 2027-03-14 03:00:00-04:00 +2027-03-14 07:00:00Z +\S/);
  expect(next).toMatch(/^Mon 2027-03-15 02:30:00-04:00 +2027-03-15 06:30:00Z$/);
});

test('accepts AWS expressions, and prints JSON with --json', async () => {
  const { times } = await session.json("preview 'cron(0 9 ? * MON-FRI *)' --count 3");
  expect(times).toHaveLength(3);
});

test('names the error in a schedule', async () => {
  const { exitCode, stderr } = await session.run("preview '99 * * * *'");
  expect(exitCode).toBe(1);
  expect(stderr).toContain('minute');
});
