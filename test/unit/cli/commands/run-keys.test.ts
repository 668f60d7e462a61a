import { Session } from '../terminal-session';

let session: Session;
beforeEach(async () => {
  session = new Session();
  await session.run('jobs create remind --schedule none --http https://example.com/hook');
});
afterEach(() => session.end());

const lastBody = () => JSON.parse(session.bodies.at(-1)!) as object;

test('asks for a run later, and says when it is due', async () => {
  const { stdout } = await session.run('jobs run remind --in 1h30m --key unpaid-42');
  expect(stdout).toMatch(/^remind runs as \S+ at 20\S+Z\.\n$/);
  expect(lastBody()).toEqual({ delay: '5400s', key: 'unpaid-42' });
  const again = await session.run('jobs run remind --in 2h --key unpaid-42');
  expect(again.stdout).toMatch(/, which has the key already\.\n$/);
});

test('takes a time of the job’s zone, and replaces a run of the key', async () => {
  await session.run('jobs run remind --in 1h --key k');
  const at = '2026-12-24T09:00:00Z';
  const { stdout } = await session.run(`jobs run remind --at ${at} --key k --replace --payload {"x":1}`);
  expect(stdout).toMatch(/ at 2026-12-24T09:00:00.000Z, in place of what its key had asked for\.\n$/);
  expect(lastBody()).toMatchObject({ key: 'k', onExisting: 'replace', payload: { x: 1 } });
  expect(Date.parse((lastBody() as { at: string }).at)).toBe(Date.parse(at));
});

test.each([
  ['jobs run remind --in 1h --at now', 'either --in or --at'],
  ['jobs run remind --in soon', '--in is "soon"'],
  ['jobs run remind --replace', '--replace needs --key'],
  ['jobs run --all --in 1h', 'for one job'],
])('%s is refused before a request', async (line, message) => {
  session.requests.length = 0;
  const { exitCode, stderr } = await session.run(line);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(3);
  expect(session.requests).toEqual([]);
});

test('cancels by the key, and the exit code says what has become of the run', async () => {
  await session.run('jobs run remind --in 1h --key k');
  const cancelled = await session.run('jobs cancel remind --key k');
  expect(cancelled).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ is cancelled\.\n$/) });
  expect(await session.run('jobs cancel remind --key other')).toMatchObject({
    exitCode: 5,
    stdout: 'other is no run that is known.\n',
  });
  session.instead.push(Response.json({ outcome: 'ended', execId: 'e' }));
  expect(await session.run('jobs cancel remind --key k')).toMatchObject({ exitCode: 6 });
  expect(await session.run('jobs cancel remind')).toMatchObject({ exitCode: 3 });
});
