import { Session } from './terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const CREATE = 'jobs create a --http https://example.com/hook';

describe('an error', () => {
  test.each([
    [
      'jobs lst',
      /^quarterjack: unknown command 'lst'\n\(Did you mean list\?\)\nUsage: quarterjack jobs \[options\]/,
    ],
    [
      'jobs list --tg a',
      /^quarterjack: unknown option '--tg'\n\(Did you mean --tag\?\)\nUsage: quarterjack jobs list/,
    ],
    [
      'secrets set',
      /^quarterjack: required option '--host <host...>' not specified\nUsage: quarterjack secrets set \[options\] <name>\n$/,
    ],
    ['nonsense', /^quarterjack: unknown command 'nonsense'\nUsage: quarterjack \[options\] \[command\]\n$/],
    ['jobs create a', /^quarterjack: --schedule is missing/],
  ])('of %s begins with the name of the program', async (args, message) => {
    const { exitCode, stdout, stderr } = await session.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test.each([
    ['jobs get nope --json', { exitCode: 5, status: 404, title: 'Not found', errors: [] }],
    ['jobs lst --json', { exitCode: 3, message: expect.stringContaining("unknown command 'lst'") }],
    [
      `${CREATE} --schedule '61 2 * * *' --json`,
      {
        exitCode: 1,
        status: 400,
        errors: [{ path: 'schedule.expression', message: expect.stringContaining('61') }],
      },
    ],
  ])('of %s is JSON', async (args, error) => {
    const { exitCode, stdout, stderr } = await session.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: error.exitCode, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({ error: expect.objectContaining(error) });
  });

  test.each([
    ['secrets set a --host http://x', { stdin: 'p4ssw0rd' }, '--host must be'],
    [`${CREATE} --schedule '61 2 * * *'`, {}, '--schedule minute field "61"'],
    [`${CREATE} --schedule '0 2 * * *' --timezone Europe/Berln`, {}, '--timezone "Europe/Berln"'],
    ['jobs create a --http nowhere --schedule none', {}, '--http must be an absolute URL'],
    ['notifications set ops --http https://example.com/a --min-interval 1s', {}, '--min-interval "1s"'],
    ['notifications set ops --http https://example.com/a --on faild', {}, '--on '],
  ])('of %s names the flag', async (args, options, message) => {
    const { exitCode, stderr } = await session.run(args, options);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`quarterjack: ${message}`);
  });

  test('of a concurrency key says how to make it', async () => {
    const { stderr } = await session.run(`${CREATE} --schedule none --concurrency-key cust-43`);
    expect(stderr).toContain('quarterjack concurrency-keys set cust-43 --limit N');
  });

  describe('of a token that lacks a scope', () => {
    const refused = (scope: string) =>
      Response.json(
        {
          title: 'Forbidden',
          status: 403,
          detail: `the token lacks the scope ${scope}`,
          type: 'about:blank',
        },
        { status: 403 },
      );

    test.each([
      ['admin', 'quarterjack token --scope admin prints one (in a checkout: npm run token -- --scope admin)'],
      ['jobs:write', 'quarterjack token prints one (in a checkout: npm run token)'],
    ])('%s says what prints one for a run on this machine', async (scope, cure) => {
      session.instead.push(refused(scope));
      const local = await session.run('admin status --url http://127.0.0.1:8787');
      expect(local.stderr).toContain(`; for a run on this machine, ${cure}\n`);
      expect(local.exitCode).toBe(4);
      session.instead.push(refused(scope));
      const { stderr } = await session.run('admin status');
      expect(stderr).toContain('sign in for a token that has it');
      expect(stderr).not.toContain('this machine');
    });

    test('keeps its status for scripts', async () => {
      session.instead.push(refused('admin'));
      const { stderr } = await session.run('admin status --json --url http://localhost:8787');
      expect(JSON.parse(stderr)).toMatchObject({ error: { status: 403, exitCode: 4 } });
    });
  });
});
