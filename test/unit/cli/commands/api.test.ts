import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { ROUTES } from '../../../../lambdas/core/contracts/routes';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const create = (id: string) =>
  session.run(`jobs create ${id} --schedule 'every 5m' --http https://t.test/ --tag team=billing`);

describe('api', () => {
  it('sends the fields of -f as a body, nested, and prints the response', async () => {
    await create('a');
    const { stdout, exitCode } = await session.run(
      "api PATCH /v1/jobs/a -f retry.maxAttempts=3 -f 'name=A job' -f tags.team=null --json --note why",
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(session.bodies.at(-1)!)).toEqual({
      retry: { maxAttempts: 3 },
      name: 'A job',
      tags: { team: null },
    });
    expect(JSON.parse(stdout)).toMatchObject({ jobId: 'a', name: 'A job', retry: { maxAttempts: 3 } });
  });

  it('of GET makes parameters of them, and --field chooses', async () => {
    for (const id of ['a', 'b', 'c']) await create(id);
    const ended = await session.run(
      'api GET v1/jobs -f tag=team:billing -f limit=2 --paginate --field jobId',
    );
    expect(ended).toEqual({ exitCode: 0, stdout: 'a\nb\nc\n', stderr: '' });
    expect(session.requests.filter((one) => one.startsWith('GET'))).toHaveLength(2);
    expect((await session.run('api GET /v1/jobs --field items.0.schedule.every')).stdout).toBe('5m\n');
  });

  it('takes a whole body from a file, and -f goes before it', async () => {
    const file = join(session.home, 'job.yaml');
    writeFileSync(file, 'jobId: z\nschedule: every 5m\ntarget: { type: http, url: "https://t.test/" }\n');
    const { stdout, exitCode } = await session.run(
      `api POST /v1/jobs --file ${file} -f 'schedule=rate(1 hour)' -o name`,
    );
    expect([stdout, exitCode]).toEqual(['z\n', 0]);
  });

  it('reaches every path of the table, and none beside it', async () => {
    for (const { method, path } of ROUTES) {
      const asked = path.replace(/\{\w+\}/g, 'a.b');
      await session.runArgs(['api', method.toLowerCase(), asked]);
      expect(session.requests.at(-1)).toBe(`${method} ${asked}`);
    }
  });

  it.each([
    'https://evil.test/v1/jobs',
    '//evil.test/v1/jobs',
    '/v2/jobs',
    '/v1/../x',
    '/v1//x',
    '/v1/a b',
    '/v1',
  ])('asks nothing of the path %s', async (path) => {
    const { exitCode, stderr } = await session.runArgs(['api', 'GET', path]);
    expect([exitCode, session.requests]).toEqual([3, []]);
    expect(stderr).toContain('expected one such as /v1/jobs/report');
  });

  it.each([
    ['api FETCH /v1/jobs', /method is "FETCH": expected one of GET/],
    ['api POST /v1/jobs --paginate', /--paginate is for GET/],
    ['api GET /v1/me --paginate', /is not a page of a list/],
    ['api GET /v1/me --field nope', /there is no "nope" in it; it has by, project, role, projects, scopes, /],
    ['api GET /v1/me --field by.nope.x', /there is no "nope" in it; it has [a-z, ]*sub/],
    ['api GET /v1/me --field project.x', /there is no "x" in it\n/],
    ['api POST /v1/jobs -f x', /expected name=value/],
    ['api GET /v1/jobs --file a.yaml', /GET has no body/],
  ])('%s is wrong usage', async (args, message) => {
    const { exitCode, stderr } = await session.run(args);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(message);
  });

  it('of a deletion prints nothing, and an error ends it as everywhere', async () => {
    await create('a');
    expect(await session.run('api DELETE /v1/jobs/a')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect((await session.run('api GET /v1/jobs/a')).exitCode).toBe(5);
  });
});

describe('-o', () => {
  it('prints JSON, YAML, a table or names', async () => {
    await create('a');
    const { stdout: json } = await session.run('jobs list -o json');
    expect(parse((await session.run('jobs list -o yaml')).stdout)).toEqual(JSON.parse(json));
    expect((await session.run('jobs list -o name')).stdout).toBe('a\n');
    expect((await session.run('jobs list -o table')).stdout).toBe((await session.run('jobs list')).stdout);
    await session.run('jobs run a');
    const { stdout } = await session.run('executions list a -o name');
    expect(stdout).toMatch(/^a \d{8}T\S+\n/);
  });

  it('and --json agree, or are wrong usage; errors are JSON too', async () => {
    expect((await session.run('jobs list --json -o json')).stdout).toBe('[]\n');
    expect((await session.run('jobs list --json -o yaml')).exitCode).toBe(3);
    for (const flag of ['-o json', '-ojson', '--print json', '--print=json']) {
      const { stderr } = await session.run(`jobs get nope ${flag}`);
      expect(JSON.parse(stderr)).toHaveProperty('error.requestId');
    }
    expect((await session.run('usage -o name')).stderr).toMatch(/the result has no names/);
  });
});

describe('--debug', () => {
  const SECRETS = ['s3cr3t-value', 'hunter2', 'qj_3k9x0c2m7q4t8v1b_abcdefghijklmnopqrstuvwxyz'];

  it('prints each request and its answer, without any secret', async () => {
    const ended = await session.runArgs(
      [
        ...['jobs', 'create', 'a', '--schedule', 'every 5m', '--debug', '--tag', 'team=billing'],
        ...['--http', 'https://u:hunter2@t.test/?api_key=hunter2&sig=hunter2&x=1'],
        ...[
          '--header',
          'X-Custom: s3cr3t-value',
          '--payload',
          '{"password":"hunter2","pwd":"hunter2","connectionString":"Key=hunter2","n":7}',
        ],
      ],
      { env: { QUARTERJACK_TOKEN: SECRETS[2]! } },
    );
    const { stderr } = ended;
    expect(stderr).toMatch(/^> POST https:\/\/api\.test\/v1\/jobs$/m);
    expect(stderr).toMatch(/^> {3}authorization: \[hidden\]$/m);
    expect(stderr).toMatch(/"team":"billing"/);
    expect(stderr).toMatch(/"n":7/);
    expect(stderr).toMatch(/^< \d{3} in \d+ ms/m);
    for (const secret of SECRETS) expect(stderr).not.toContain(secret);
  });

  it('never shows the value of a secret', async () => {
    const { stderr } = await session.run('secrets set crm --host t.test --debug', {
      stdin: 's3cr3t-value\n',
    });
    expect(stderr).toMatch(/> PUT .+\/v1\/secrets\/crm/);
    expect(stderr).not.toContain('s3cr3t-value');
  });
});

it('-q prints no hints', async () => {
  await create('a');
  await create('b');
  expect((await session.run('jobs list --limit 1')).stderr).toMatch(/There are more than/);
  expect((await session.run('jobs list --limit 1 -q')).stderr).toBe('');
});

describe('open', () => {
  it('prints the page of a job or an execution, and a terminal opens it', async () => {
    const opened: string[] = [];
    session.openBrowser = (url) => Promise.resolve(opened.push(url) > 0);
    await create('a');
    await session.run('jobs run a');
    const page = 'https://api.test/console/jobs/a';
    expect(await session.run('open a')).toEqual({ exitCode: 0, stdout: `${page}\n`, stderr: '' });
    const { stdout } = await session.run('open a latest -p alice');
    expect(stdout).toMatch(/\/console\/jobs\/a\/executions\/\d{8}T[^?]+\?project=alice\n$/);
    expect(opened).toEqual([]);
    await session.run('open a', { isTTY: true });
    expect(opened).toEqual([page]);
  });
});

describe('one verb', () => {
  it.each([
    ['secrets', 'rm'],
    ['notifications', 'rm'],
    ['calendars', 'rm'],
    ['concurrency-keys', 'rm'],
    ['keys', 'revoke'],
  ])('%s delete, and %s still works, and no help shows it', async (group, old) => {
    const { stdout } = await session.run(`${group} --help`);
    expect(stdout).toMatch(/^ {2}delete \[options\]|^ {2}delete </m);
    expect(stdout).not.toMatch(new RegExp(`\\b${old}\\b`));
    const run = (verb: string) => session.runArgs([group, verb, 'nope', '-y']);
    const ended = [await run('delete'), await run(old)];
    expect(ended[0]).toEqual(ended[1]);
    expect(ended[0]!.exitCode).toBe(5);
  });
});
