import { Session } from '../terminal-session';

// It is 08:30 in London, and 09:30 in Berlin, where the terminal is.
let session: Session;
beforeEach(async () => {
  session = new Session();
  for (const id of ['a', 'b'])
    await session.run(`jobs create ${id} --schedule 'every 1h' --http https://example.com/ --tag kind=x`);
});
afterEach(() => session.end());

interface Shown {
  jobId: string;
  status: string;
  pausedUntil?: string;
}
const ends = async () =>
  ((await session.json('jobs list')) as Shown[]).map(({ status, pausedUntil }) => pausedUntil ?? status);

test.each([
  ['2h', '2026-12-01T10:30:00.000Z'],
  ["'in 1d12h'", '2026-12-02T20:30:00.000Z'],
  ['2026-12-24T08:00:30Z', '2026-12-24T08:00:30.000Z'],
  ["'2026-12-24 09:00'", '2026-12-24T08:00:00.000Z'],
  ["'tomorrow 07:00'", '2026-12-02T06:00:00.000Z'],
])('pause --until %s is until %s, for named jobs and for those of a filter', async (typed, end) => {
  const shown = ` paused until ${end.replace('T', ' ').replace('.000', '')}\n`;
  expect(await session.run(`jobs pause a --until ${typed}`)).toEqual({
    exitCode: 0,
    stdout: `a${shown}`,
    stderr: '',
  });
  expect(await ends()).toEqual([end, 'active']);
  const { stdout } = await session.run(`jobs pause --tag kind:x --until ${typed}`);
  expect(stdout).toBe(`one job${shown.trimEnd()}, 1 unchanged\n`);
  expect(await ends()).toEqual([end, end]);
  expect((await session.run('jobs get a')).stdout).toMatch(/\npaused until +2026-12-\d\d /);
});

test('another --until replaces the end, and a pause without one takes it away', async () => {
  await session.run('jobs pause a --until 2h');
  expect(await session.json('jobs pause a --until 3h')).toEqual([
    { jobId: 'a', outcome: 'paused', pausedUntil: '2026-12-01T11:30:00.000Z' },
  ]);
  expect((await session.run('jobs pause a')).stdout).toBe('a paused\n');
  expect(await ends()).toEqual(['paused', 'active']);
});

test('a filter leaves alone what is paused without an end, and a name does not', async () => {
  await session.run('jobs pause a');
  expect((await session.run('jobs pause --all --until 2h --dry-run')).stdout).toBe(
    '2 jobs would be paused until 2026-12-01 10:30:00Z.\n',
  );
  expect(await session.json('jobs pause --all --until 2h')).toMatchObject({ done: 1, unchanged: 1 });
  expect(await ends()).toEqual(['paused', '2026-12-01T10:30:00.000Z']);
  await session.run('jobs pause a --until 2h');
  expect(await ends()).toEqual(['2026-12-01T10:30:00.000Z', '2026-12-01T10:30:00.000Z']);
});

test.each(['soon', "''", '1x', '99999999d', '9999-01-01'])(
  '--until %s is no time: nothing is asked of the API',
  async (typed) => {
    const before = session.requests.length;
    for (const which of ['a', '--all']) {
      const { exitCode, stderr } = await session.run(`jobs pause ${which} --until ${typed}`);
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('--until is "')]);
    }
    expect(session.requests).toHaveLength(before);
  },
);

test.each([
  ['now', 'is not in the future: must be within the next 400d'],
  ["'2h ago'", 'is not in the future: must be within the next 400d'],
  ['401d', 'must be within the next 400d'],
])('the API refuses --until %s, and the job stays active', async (typed, why) => {
  const named = await session.run(`jobs pause a --until ${typed}`);
  expect([named.exitCode, named.stdout]).toEqual([1, expect.stringMatching(`^a failed: .*until.*${why}`)]);
  const { exitCode, stdout, stderr } = await session.run(`jobs pause --all --until ${typed}`);
  expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(`until.*${why}`)]);
  expect(await ends()).toEqual(['active', 'active']);
});

test.each(['resume', 'delete'])('jobs %s takes no --until', async (command) => {
  expect(await session.run(`jobs ${command} a --until 2h`)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("unknown option '--until'"),
  });
});
