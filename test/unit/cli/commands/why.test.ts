import { putEnded } from '../../api/ended-row';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const create = () =>
  session.run(
    "jobs create report --schedule '30 9 * * *' --timezone Europe/Berlin --http https://example.com/hook",
  );

describe('why', () => {
  test('prints the sentence, and each step with where it is known from', async () => {
    await create();
    const execId = await putEnded(session.world, 'report', Date.parse('2026-12-02T08:30:00Z'));
    await session.world.clock.advance(2 * 86_400_000);
    const { stdout, exitCode } = await session.run("why report --at '2026-12-02 09:30'");
    expect(stdout).toBe(
      'The occurrence of Wed 2026-12-02 09:30 ran in time: it began at Wed 2026-12-02 09:30 and succeeded.\n' +
        '\n' +
        'at         Wed 2026-12-02 09:30:00+01:00  2026-12-02 08:30:00Z\n' +
        'verdict    ran\n' +
        `execution  ${execId}\n` +
        '\n' +
        '✓ planned     Wed 2026-12-02 09:30 is an occurrence of generation 1: 30 9 * * * in Europe/Berlin.\n' +
        '              from the schedule that was current from Tue 2026-12-01 09:30 on\n' +
        '✓ deployment  The deployment was not in maintenance mode. An executor began with it at Wed 2026-12-02 ' +
        '09:30, 20 ms after its due time.\n' +
        '              from the stops of the deployment\n' +
        '✓ ledger      The execution succeeded.\n' +
        `              from execution ${execId}\n`,
    );
    expect(exitCode).toBe(0);
  });

  test.each([
    ["--at '2026-12-02 09:30'", '2026-12-02T08:30:00.000Z', 'will-run'],
    ['--at 2026-12-02T08:30:00Z', '2026-12-02T08:30:00.000Z', 'will-run'],
    ["--at '2026-12-02 08:30' --timezone UTC", '2026-12-02T08:30:00.000Z', 'will-run'],
    ["--at '2026-12-02 09:30' --timezone UTC", '2026-12-02T09:30:00.000Z', 'not-planned'],
  ])('%s is %s', async (flags, at, verdict) => {
    await create();
    expect(await session.json(`why report ${flags}`)).toMatchObject({ at, verdict });
  });

  test('without a time is about the last due time', async () => {
    await create();
    await session.world.clock.advance(30 * 3_600_000);
    expect(await session.json('why report')).toMatchObject({ at: '2026-12-02T08:30:00.000Z' });
    const never = await session.run('why no-such-job');
    expect(never.exitCode).toBe(5);
  });

  test('knows the zone of a deleted job', async () => {
    await create();
    await session.world.clock.advance(1_000);
    await session.run('jobs delete report --yes');
    const { stdout } = await session.run("why report --at '2026-12-02 09:30'");
    expect(stdout).toContain('at       Wed 2026-12-02 09:30:00+01:00  2026-12-02 08:30:00Z');
    expect(stdout).toContain('✗ existed');
  });

  test.each([
    ['why report --at someday', '--at is "someday"; expected a date'],
    ['why report --at 2026-12-02T08:30:00Z --timezone UTC', '--at has an offset'],
  ])('%s is rejected', async (args, message) => {
    await create();
    const { exitCode, stderr } = await session.run(args);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(message);
  });
});
