import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { dynamoUsageStore } from '../../../../lambdas/core/store/dynamo/dynamo-usage-store';
import { noQuotas } from '../../../support/no-quotas';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const put = (name: string, text: string): string => {
  const path = join(session.home, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const job = (url = 'https://example.com/x') =>
  `{ schedule: every 5m, target: { type: http, url: ${JSON.stringify(url)} } }`;
const jobs = (...ids: string[]) => `jobs:\n${ids.map((id) => `  ${id}: ${job()}\n`).join('')}`;
const jobIds = async () =>
  (await session.json('jobs list')).map(({ jobId }: { jobId: string }) => jobId) as string[];
const checks = () => session.requests.filter((one) => one.startsWith('CHECK'));

describe('variables', () => {
  test('fill in values, from the flag, a file and the environment', async () => {
    const env = put('prod.env', 'HOST=from-file.example\nPRIORITY=high\n');
    const path = put(
      'jobs.yaml',
      'x-hook: &hook\n  type: http\n  url: https://${HOST}/${PATH_OF}\n' +
        'jobs:\n  a:\n    schedule: every 5m\n    target: *hook\n    priority: ${PRIORITY:-low}\n' +
        '    retry:\n      maxAttempts: ${ATTEMPTS:-7}\n    payload: ["${ATTEMPTS:-7}", "$${X}"]\n',
    );
    const { exitCode, stderr } = await session.run(
      `apply --yes ${path} --env-file ${env} --var HOST=from-flag.example --env HOST --env PATH_OF`,
      { env: { HOST: 'from-env', PATH_OF: 'report' } },
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await session.json('jobs get a')).toMatchObject({
      target: { url: 'https://from-flag.example/report' },
      priority: 'high',
      retry: { maxAttempts: 7 },
      payload: ['7', '${X}'],
    });
  });

  test('that are not set are named with file and line, before any request', async () => {
    const path = put('jobs.yaml', `jobs:\n  a: ${job('${BASE}/x')}\n  b: ${job('${QUARTERJACK_TOKEN}')}\n`);
    const { exitCode, stderr } = await session.run(`plan ${path}`);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/jobs\.yaml:2: the variable BASE is not set.*\n.*jobs\.yaml:3: .*credential/);
    expect(session.requests).toEqual([]);
  });

  test('in the result of an import are text', async () => {
    const out = join(session.home, 'out.yaml');
    const crontab = put('crontab', '0 9 * * * report ${HOME} "$1"\n');
    await session.run(
      `import crontab ${crontab} --timezone UTC --url-template https://example.com/{jobId} --out ${out}`,
    );
    expect(await session.run(`apply --yes ${out}`)).toMatchObject({ exitCode: 0 });
    const [jobId] = await jobIds();
    expect((await session.json(`jobs get ${jobId}`)).payload.command).toBe('report ${HOME} "$1"');
  });
});

describe('several files', () => {
  test('and directories are one set of jobs, each with its own defaults', async () => {
    const path = put('jobs/b.yaml', `defaults: { priority: high }\n${jobs('b')}`);
    put(
      'jobs/a.json',
      JSON.stringify({
        jobs: { a: { schedule: 'every 5m', target: { type: 'http', url: 'https://e.com' } } },
      }),
    );
    put('jobs/README.md', 'no jobs');
    put('jobs/below/c.yaml', jobs('c'));
    const more = put('more.yml', jobs('d'));
    const { stdout } = await session.run(`apply --yes ${join(path, '..')} ${more} ${path} -`, {
      stdin: jobs('e'),
    });
    expect(stdout).toContain('Done: 4 of 4.');
    expect(await jobIds()).toEqual(['a', 'b', 'd', 'e']);
    expect(await session.json('jobs get b')).toMatchObject({ priority: 'high' });
    expect(await session.json('jobs get d')).toMatchObject({ priority: 'medium' });
  });

  test('that define one job twice are refused, with both places', async () => {
    const [one, two] = [put('one.yaml', jobs('a', 'same')), put('two.yaml', jobs('same'))];
    const { exitCode, stderr } = await session.run(`apply --yes ${one} ${two}`);
    expect(exitCode).toBe(3);
    expect(stderr).toBe(`quarterjack: ${two}:2: same: is already defined at ${one}:3\n`);
    expect(await jobIds()).toEqual([]);
  });

  test('are all read before the mistakes of all are shown', async () => {
    const [one, two] = [put('one.yaml', 'jobs: 5'), put('two.yaml', `other: 1\n${jobs('a')}`)];
    expect((await session.run(`plan ${one} ${two}`)).stderr).toMatch(/one\.yaml:1: .*\n.*two\.yaml:1: other/);
    mkdirSync(join(session.home, 'empty'));
    expect(await session.run(`plan ${join(session.home, 'empty')}`)).toMatchObject({ exitCode: 3 });
  });

  test('keep each other’s jobs from --prune', async () => {
    const tagged = (id: string) => `defaults: { tags: { by: ci } }\n${jobs(id)}`;
    const [one, two] = [put('one.yaml', tagged('a')), put('two.yaml', tagged('b'))];
    await session.run(`apply --yes ${one} ${two}`);
    expect((await session.run(`plan ${one} ${two} --prune by:ci`)).stdout).toBe(
      'Nothing to do: 2 unchanged.\n',
    );
    expect((await session.run(`plan ${two} --prune by:ci`)).stdout).toContain('- a\n');
  });
});

describe('plan', () => {
  const many = Array.from({ length: 150 }, (_, index) => `j${index}`);
  const allow = (count: number, rates: Partial<typeof noQuotas.quotaLimits> = {}) => {
    const { dynamo, clock, random } = session.world;
    const usage = dynamoUsageStore({ documents: dynamo, table: 'Jobs', clock, random });
    const limits = { ...noQuotas.quotaLimits, jobs: count, ...rates };
    Object.assign(session.world.deps, { quotas: quotas(limits, { usage, clock }) });
  };

  test('asks the API about a hundred jobs at a time', async () => {
    await session.run(`plan ${put('jobs.yaml', jobs(...many))}`);
    expect(checks()).toHaveLength(2);
  });

  test('lets the API resolve the host of each job, though one request resolves 20 at most', async () => {
    session.world.deps.resolve = async (host) => [
      { address: host === 'h49.test' ? '10.0.0.1' : '93.184.216.34', family: 4 },
    ];
    const hosts = Array.from(
      { length: 50 },
      (_, index) => `  j${index}: ${job(`https://h${index}.test/`)}\n`,
    );
    const { exitCode, stderr } = await session.run(`plan ${put('jobs.yaml', `jobs:\n${hosts.join('')}`)}`);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/jobs\.yaml:51: j49: target\.url: /);
    expect(checks().filter((request) => request.includes('/batch'))).toHaveLength(3);
  });

  test.each([120, 80])(
    'refuses 150 jobs where %i are allowed, and apply changes nothing',
    async (allowed) => {
      allow(allowed);
      const path = put('jobs.yaml', jobs(...many));
      for (const command of ['plan', 'apply']) {
        const { exitCode, stderr } = await session.run(`${command} ${path}`);
        expect(exitCode).toBe(3);
        expect(stderr).toContain(`the quota jobs is ${allowed}: 0 are used, `);
      }
      expect(await jobIds()).toEqual([]);
    },
  );

  test('refuses no job that is there already', async () => {
    await session.run(`apply --yes ${put('jobs.yaml', jobs(...many))}`);
    allow(150);
    const path = put('jobs.yaml', jobs(...many).replaceAll('every 5m', 'every 6m'));
    expect(await session.run(`apply --yes ${path}`)).toMatchObject({ exitCode: 0 });
  });

  test('refuses to resume more jobs than the quotas allow', async () => {
    const file = (paused: boolean) => put('jobs.yaml', `defaults: { paused: ${paused} }\n${jobs(...many)}`);
    await session.run(`apply --yes ${file(true)}`);
    allow(150, { firesPerMinute: 10 });
    const { exitCode, stderr } = await session.run(`apply --yes ${file(false)}`);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('the quota firesPerMinute is 10: 0 are used, ');
    expect((await session.world.get('j0')).body.status).toBe('paused');
  });

  test('finds the one job that spoils a request for all', async () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const path = put('jobs.yaml', `${jobs('a')}  b: { payload: ${deep}, ${job().slice(1)}\n`);
    const { exitCode, stderr } = await session.run(`plan ${path}`);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/jobs\.yaml:3: b: /);
    expect(stderr).not.toMatch(/: a: /);
  });

  test('accepts a job as deep as the API allows', async () => {
    const deep = `${'['.repeat(31)}${']'.repeat(31)}`;
    const path = put('jobs.yaml', `jobs:\n  b: { payload: ${deep}, ${job().slice(1)}\n`);
    for (const command of ['plan', 'apply --yes'])
      expect(await session.run(`${command} ${path}`)).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('the project', () => {
  const API = { QUARTERJACK_URL: '', QUARTERJACK_TOKEN: '' };
  const projectOf = async (args: string, env: Record<string, string> = {}) => {
    session.projects.length = 0;
    const { exitCode, stderr } = await session.run(args, { env });
    return exitCode === 0 ? session.projects.at(-1) : stderr;
  };

  test('comes from the flag, else the environment, else the profile of the URL', async () => {
    await session.run('login --url https://api.test --project from-profile --token-stdin', {
      env: API,
      stdin: 'alice',
    });
    expect(await projectOf('jobs list', API)).toBe('from-profile');
    expect(await projectOf('jobs list', { ...API, QUARTERJACK_TOKEN: 'bob' })).toBe('from-profile');
    expect(await projectOf('jobs list', { ...API, QUARTERJACK_PROJECT: 'from-env' })).toBe('from-env');
    expect(
      await projectOf('jobs list --project from-flag', { ...API, QUARTERJACK_PROJECT: 'from-env' }),
    ).toBe('from-flag');
    expect(await projectOf('jobs list --url https://other.test', { QUARTERJACK_TOKEN: 'bob' })).toBeNull();
    expect((await session.run('profiles', { env: API })).stdout).toMatch(/default \*.*from-profile/);
  });

  test('that cannot be a header is refused', async () => {
    expect(await projectOf('jobs list --project über')).toContain('project is "über"; expected');
  });

  test('is none unless it is named', async () => {
    expect(await projectOf('jobs list')).toBeNull();
  });
});

test('a token command may print an API key', async () => {
  const { key } = await session.json('keys create ci --role viewer');
  const login = (text: string) =>
    session.runArgs(['login', '--url', 'https://api.test', '--token-command', `echo ${text}`], {
      env: { QUARTERJACK_URL: '', QUARTERJACK_TOKEN: '', PATH: process.env.PATH ?? '' },
    });
  expect(await login(key)).toMatchObject({ exitCode: 0 });
  expect((await login(key.slice(0, -1))).stderr).toContain('printed neither a JWT nor an API key');
});
