import { widthOf } from '../../../../cli/terminal/width';
import { putEnded } from '../../api/ended-row';
import { Session } from '../terminal-session';

const NAME = 'Sends the report of the day to all who have asked for it';
const EXPRESSION = '0,5,10,15,20,25,30,35,40,45,50,55 9-17 * * MON-FRI';
const HOSTS = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example.com`);

let session: Session;
beforeAll(async () => {
  session = new Session();
  const { world } = session;
  await session.run(
    `jobs create daily-report --schedule '${EXPRESSION}' --timezone Europe/Berlin --http https://example.com/hook
     --name '${NAME}' --note 'the first of several jobs that the team of the reports has asked for'`,
  );
  await session.run('jobs pause daily-report');
  await session.run(`jobs edit daily-report --schedule '0 9 * * *' --priority high --timeout 2m`);
  await session.run('jobs resume daily-report');
  await putEnded(world, 'daily-report', world.clock.nowMs(), { status: 'failed', reason: 'fatal' });
  await session.run("keys create 'the key of the first host' --role operator");
  await session.run('concurrency-keys set the-customer-with-the-longest-name --limit 3 --rate 10/1m');
  const hosts = HOSTS.flatMap((host) => ['--host', host]);
  await session.runArgs(['secrets', 'set', 'slack-of-the-team', ...hosts], { stdin: 'a secret' });
  await session.run('backfill daily-report --from 2026-11-01 --to 2026-11-04 --yes --no-wait');
});
afterAll(() => session.end());

const LISTS = [
  'jobs list',
  'jobs changes daily-report',
  'executions list',
  'executions list daily-report',
  'executions show daily-report latest',
  'backfills list',
  'failures',
  'failures groups',
  'upcoming',
  'waiting',
  'queues',
  'keys list',
  'secrets list',
  'concurrency-keys list',
  'audit',
  'usage',
  'projects',
  "preview '30 2 * * *' --timezone Europe/Berlin",
];

describe.each(LISTS)('%s', (command) => {
  test.each([40, 80])('fits a terminal of %i columns', async (columns) => {
    const { stdout, exitCode } = await session.run(command, { isTTY: true, columns });
    expect(exitCode).toBe(0);
    const wide = stdout.split('\n').filter((line) => widthOf(line) > columns && !isField(line));
    expect(wide).toEqual([]);
  });

  test('is whole in a pipe, and JSON is as on a terminal', async () => {
    const { stdout } = await session.run(command);
    expect(stdout).not.toMatch(/…|left out:/);
    const json = await session.run(`${command} --json`);
    expect(await session.run(`${command} --json`, { isTTY: true, columns: 40 })).toEqual(json);
  });
});

/** A name and its value: the terminal wraps it, so nothing of it is lost. */
const isField = (line: string): boolean => /^(?:[A-Z][A-Z ]*|[a-z][a-z ]*) {2}/.test(line);

test('a long value is whole in a pipe, and a terminal gets its beginning', async () => {
  const payload = JSON.stringify({ text: 'x'.repeat(1_000) });
  await session.runArgs(['jobs', 'edit', 'daily-report', '--payload', payload]);
  const line = async (terminal?: { isTTY: true; columns: number }) =>
    /^payload +(.*)$/m.exec((await session.run('jobs get daily-report', terminal)).stdout)![1];
  expect(await line()).toBe(payload);
  expect(await line({ isTTY: true, columns: 80 })).toBe(`${payload.slice(0, 299)}…`);
});

test('a narrow table shows what is due next, and a wide one also when', async () => {
  const [narrow, wide] = await Promise.all(
    [60, 160].map(async (columns) => (await session.run('jobs list', { isTTY: true, columns })).stdout),
  );
  expect(narrow).toMatch(/^JOB +STATUS +LAST +NEXT +SCHEDULE\n\S*daily-report .* in 23h 30m .*…\n/);
  expect(narrow).toMatch(/\nleft out: DUE, NAME\n$/);
  expect(wide).toMatch(/^JOB +STATUS +LAST +NEXT +DUE +SCHEDULE +NAME\n.*in 23h 30m +Wed 2026-12-02 09:00/);
});
