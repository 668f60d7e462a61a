import { putEnded } from '../../api/ended-row';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(async () => {
  session = new Session();
  for (const jobId of ['job-1', 'job-2']) {
    await session.run(`jobs create ${jobId} --schedule '0 0 1 1 *' --http https://example.com/hook`);
    await putEnded(session.world, jobId, Date.parse('2026-12-01T08:30:10Z'));
  }
  await session.world.clock.advance(60_000);
});
afterEach(() => session.end());

describe('what has ended, of all jobs', () => {
  test('is listed', async () => {
    const { stdout } = await session.run('executions list --status ended');
    expect(stdout).toMatch(/job-2 .*succeeded/);
    expect(stdout).toMatch(/job-1 .*succeeded/);
  });

  test('is counted, without a list', async () => {
    const counts = { succeeded: 1_950, failed: 7, cancelled: 0, skipped: 12, atLeast: false };
    const page = (more: object) =>
      new Response(JSON.stringify({ items: [], nextCursor: null, incompleteBecause: [], counts, ...more }));
    session.instead.push(page({}));
    expect((await session.run('executions list --counts --since 7d')).stdout).toBe(
      'succeeded  1950\nfailed     7\ncancelled  0\nskipped    12\n',
    );
    session.instead.push(page({ counts: { ...counts, atLeast: true }, incompleteBecause: ['time'] }));
    const { stdout, stderr } = await session.run('executions list --counts');
    expect(stdout).toContain('succeeded  ≥ 1950\n');
    expect(stderr).toBe('There may be more: the request took too long; filter the jobs.\n');
  });

  test('is not counted without a journal of ends', async () => {
    expect((await session.run('executions list --counts')).stderr).toContain('keeps no journal of ends');
  });

  test.each(['--status ended', '--counts'])('is not of one job: %s', async (flag) => {
    expect((await session.run(`executions list job-1 ${flag}`)).stderr).toContain('leave the jobId out');
  });
});
