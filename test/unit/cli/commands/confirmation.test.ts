import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { treeOf } from '../../../../cli/completion/tree';
import { processIo } from '../../../../cli/io';
import { makeProgram } from '../../../../cli/program';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(async () => {
  session = new Session();
  await session.run("jobs create etl --schedule '0 9 * * *' --http https://example.com/hook --tag kind:x");
  session.requests.length = session.bodies.length = 0;
});
afterEach(() => session.end());

const AS_FILE = 'jobs: { new: { schedule: "every 5m", target: { type: http, url: "https://example.com" } } }';
const AS_MANIFEST =
  '{"format":"quarterjack.jobs/1","source":"s","jobs":[{"jobId":"new","definition":{"schedule":"every 5m"}}]}';
const AS_CRONTAB = '0 9 * * * curl -fsS https://example.com/new\n';

/** Each command that deletes, stops or starts much: its line, and what it asks. */
const COMMANDS: Record<string, [line: string, question: string]> = {
  'admin stop': ['admin stop', 'Stop the deployment api.test for all its projects?'],
  apply: ['apply FILE', 'Apply these changes to your project at api.test?'],
  backfill: [
    'backfill etl --from 2026-11-01 --to 2026-11-03 --no-wait',
    'Run the dates of etl from 2026-11-01 to 2026-11-03?',
  ],
  'calendars delete': ['calendars delete holidays', 'Delete the calendar holidays?'],
  'concurrency-keys delete': ['concurrency-keys delete crm', 'Delete the concurrency key crm?'],
  deploy: ['deploy MANIFEST --queue q', 'Apply these changes to your project at api.test?'],
  'executions cancel': [
    'executions cancel --tag kind:x',
    'Cancel one execution of jobs with the tag kind:x, due within 7d?',
  ],
  'import crontab': [
    'import crontab CRONTAB --timezone UTC --apply',
    'Apply these changes to your project at api.test?',
  ],
  'jobs delete': ['jobs delete etl', 'Delete the job etl?'],
  'keys delete': ['keys delete 3k9x0c2m7q4t8v1b', 'Revoke the API key 3k9x0c2m7q4t8v1b?'],
  'notifications delete': ['notifications delete ops', 'Delete the notification ops?'],
  'ping-key delete': ['ping-key delete', 'End the URL for pings of your project at api.test?'],
  'secrets delete': ['secrets delete crm', 'Delete the secret crm?'],
  'signing-secret end-legacy': [
    'signing-secret end-legacy',
    'End the legacy secret of your project at api.test? It cannot sign again.',
  ],
};

/** The files of other systems are applied by the code that applies a crontab. */
const LIKE_CRONTAB = ['eventbridge', 'kubernetes', 'step-functions'].map((name) => `import ${name}`);

test('the table has each command that takes --yes, and each delete takes it', () => {
  const tree = treeOf(makeProgram(processIo(), () => undefined));
  const taking = tree.filter(({ options }) => options.some(({ flag }) => flag === '--yes'));
  const names = taking.map(({ path }) => path);
  expect(names.toSorted()).toEqual([...Object.keys(COMMANDS), ...LIKE_CRONTAB].toSorted());
  const deleting = tree.filter(({ path }) => / (delete|stop|end-legacy)$/.test(path));
  expect(names).toEqual(expect.arrayContaining(deleting.map(({ path }) => path)));
});

describe.each(Object.values(COMMANDS))('%s', (line, question) => {
  let asked: string[];
  let args: string;

  beforeEach(async () => {
    if (line.startsWith('executions')) await session.run('jobs run etl');
    session.requests.length = session.bodies.length = 0;
    asked = [];
    const file = (name: string, text: string) => {
      writeFileSync(join(session.home, name), text);
      return join(session.home, name);
    };
    args = line
      .replace('MANIFEST', () => file('jobs.json', AS_MANIFEST))
      .replace('CRONTAB', () => file('crontab', AS_CRONTAB))
      .replace('FILE', () => file('jobs.yaml', AS_FILE));
  });

  const answer = (text: string) => {
    session.ask = (shown) => {
      asked.push(shown);
      return Promise.resolve(text);
    };
  };

  /** The requests that may change something. */
  const writes = () =>
    session.requests.filter(
      (request, index) => !/^(GET|CHECK) /.test(request) && !session.bodies[index]!.includes('"dryRun":true'),
    );

  test('asks on a terminal, and does nothing without a yes', async () => {
    answer('');
    const ended = await session.run(args, { isTTY: true });
    expect(asked).toEqual([`${question} [y/N] `]);
    expect(ended.stderr).toContain('Nothing was done.');
    expect(ended.exitCode).toBe(1);
    expect(writes()).toEqual([]);
  });

  test('goes on after a yes', async () => {
    answer('y');
    await session.run(args, { isTTY: true });
    expect(asked).toHaveLength(1);
    expect(writes()).not.toEqual([]);
  });

  test('refuses without a terminal', async () => {
    answer('y');
    const { exitCode, stderr } = await session.run(args);
    expect(stderr).toContain(`${question} There is no terminal to ask on: confirm it with --yes\n`);
    expect(exitCode).toBe(3);
    expect(asked).toEqual([]);
    expect(writes()).toEqual([]);
  });

  test.each([{ isTTY: true }, { isTTY: false }])('does not ask with -y: %j', async (where) => {
    answer('');
    await session.run(`${args} -y`, where);
    expect(asked).toEqual([]);
    expect(writes()).not.toEqual([]);
  });
});

test.each([
  ['jobs delete --all', 'Delete one job of your project at api.test: etl?'],
  ['jobs delete --prefix e --project alice', 'Delete one job beginning with e: etl?'],
  ['jobs delete --all --project alice', 'Delete one job of the project alice at api.test: etl?'],
  ['jobs delete a b c d e f g', 'Delete 7 jobs: a, b, c, d, e, …?'],
  ['keys delete a b', 'Revoke 2 API keys: a, b?'],
  ['keys delete --by bob', 'Revoke all API keys that bob created?'],
  ['executions cancel --all --from 2026-11-01', 'at api.test, due from 2026-10-31T23:00:00.000Z?'],
  ['executions cancel --all --since 1h', 'at api.test, due from 2026-12-01T07:30:00.000Z?'],
  [
    'executions cancel --all --to 2027-01-01',
    'at api.test, due within 7d and before 2026-12-31T23:00:00.000Z?',
  ],
])('the question of %s names what it acts on', async (line, question) => {
  await session.run('jobs run etl');
  const { stderr } = await session.run(line);
  expect(stderr).toContain(`${question} There is no terminal`);
});

test('a backfill shows its dates and what they cost before it asks', async () => {
  session.ask = () => Promise.resolve('n');
  const { stderr } = await session.run('backfill etl --from 2026-11-01 --to 2026-11-03', { isTTY: true });
  expect(stderr).toMatch(/dates +2\n[^]*estimate +\d+ writes/);
});
