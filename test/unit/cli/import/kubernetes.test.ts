import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { commandOf } from '../../../../cli/import/kubernetes/command';
import { anchored, payloadCommandOf } from '../../../../cli/work/payload-command';
import { Session } from '../terminal-session';

const FIXTURES = 'test/fixtures/kubernetes';

let session: Session;
beforeEach(() => {
  session = new Session();
});
afterEach(() => session.end());

const fixture = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

test('the CronJobs of several documents become jobs of a worker, and other objects are named', async () => {
  const { exitCode, stdout, stderr } = await session.run(
    `import kubernetes ${FIXTURES}/shop.yaml --queue shop --apply --yes`,
  );
  expect(exitCode).toBe(1);
  expect(stdout).toContain('x shop.yaml:2 ConfigMap/shop-settings  it is a ConfigMap: CronJobs alone are');
  expect(stdout).toContain('2 can be imported, 1 cannot.');
  expect(stderr).toContain('quarterjack work --queue shop');
  expect(await session.json('jobs get shop.invoice-export')).toMatchObject({
    status: 'active',
    schedule: {
      expression: '15 2 * * 1-5',
      timezone: 'Europe/Berlin',
      dst: { gap: 'skip', overlap: 'both' },
    },
    target: { type: 'worker', queue: 'shop' },
    payload: {
      command: expect.stringContaining('cd /srv/invoices && exec /bin/sh -c') as string,
      env: { REGION: 'eu-central-1' },
    },
    overlap: 'skip',
    misfire: { policy: 'skip', grace: '600s' },
    retry: { maxAttempts: 3, initialDelay: '10s', maxDelay: '6m', jitter: 'none', maxAge: '1800s' },
    timeout: '1800s',
    tags: { 'imported-from': 'kubernetes', queue: 'shop', team: 'billing' },
  });
  expect(await session.json('jobs get cleanup')).toMatchObject({
    status: 'paused',
    schedule: { expression: '@hourly' },
    overlap: 'replace',
    retry: { maxAttempts: 7 },
  });
});

test('what a Secret or a ConfigMap gives is named, and is in no job', async () => {
  const { stdout } = await session.run(`import kubernetes ${FIXTURES}/shop.yaml`);
  expect(stdout).toContain('not imported: env DATABASE_URL, from key url of the Secret invoices-db');
  expect(stdout).toContain('not imported: all variables of the ConfigMap shop-settings');
  expect(stdout).toContain('not imported: env NODE, from fieldRef spec.nodeName');
});

test('a list as kubectl prints it needs no note for its defaults', async () => {
  const { exitCode, stdout } = await session.run('import kubernetes - --timezone UTC --json', {
    stdin: fixture('list.yaml'),
  });
  expect(exitCode).toBe(0);
  const { jobs } = JSON.parse(stdout) as { jobs: { jobId: string; notes: string[]; source: string }[] };
  expect(jobs.map(({ jobId, source }) => [jobId, source])).toEqual([
    ['backup', 'stdin:3 CronJob/backup'],
    ['billing.backup', 'stdin:52 CronJob/backup'],
  ]);
  expect(jobs[0]!.notes).toEqual([
    'the worker’s machine needs what the image registry.example.com/backup:7 has',
    'it has no activeDeadlineSeconds; here an attempt ends after 7 days at the latest',
    expect.stringContaining('metadata.annotations'),
    expect.stringContaining('spec.failedJobsHistoryLimit, spec.successfulJobsHistoryLimit'),
  ]);
  expect(jobs[1]).toMatchObject({
    definition: { payload: { command: "pg_dump '--file=/backup/latest.sql' --host '$HOST'" } },
    notes: expect.arrayContaining([
      'env PGPASSWORD is stored in readable form: replace it before you apply',
    ]) as string[],
  });
});

test('a template of a chart is refused with a hint', async () => {
  const { exitCode, stderr } = await session.run(`import kubernetes ${FIXTURES}/chart.yaml`);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('a template')]);
  expect(stderr).toContain('helm template NAME CHART | quarterjack import kubernetes -');
});

test('a pod that a worker cannot take the place of is refused, with each reason', async () => {
  const { exitCode, stdout } = await session.run(`import kubernetes ${FIXTURES}/whole-pod.yaml --json`);
  expect(exitCode).toBe(1);
  const { jobs, refused } = JSON.parse(stdout) as { jobs: object[]; refused: { reason: string }[] };
  expect(jobs).toEqual([]);
  expect(refused.map(({ reason }) => reason.split(/[ :]/)[0])).toEqual([
    'spec.timezone',
    'jobTemplate.spec.backoffLimitPerIndex',
    'template.spec.initContainers',
    'template.spec.containers',
    'it',
    'jobTemplate.spec.completions',
  ]);
});

test('two CronJobs of one name are told apart by their namespaces, or refused', async () => {
  const one = fixture('whole-pod.yaml')
    .split('\n')
    .filter((line) => !/timezone|initContainers|fetch|proxy|completion|parallelism|PerIndex/i.test(line))
    .join('\n')
    .replace('args: [', 'command: [');
  const { stdout } = await session.run('import kubernetes -', { stdin: `${one}---\n${one}` });
  expect(stdout).toContain('its jobId train is already used by stdin:1 CronJob/train');
});

test.each([
  ['a: 1\n', 'stdin:1: expected an object of Kubernetes, with apiVersion and kind'],
  ['apiVersion: v1\nkind: [\n', 'stdin:3: '],
  ['- a\n', 'stdin:1: expected an object of Kubernetes'],
])('%j is no manifest', async (stdin, message) => {
  const { exitCode, stderr } = await session.run('import kubernetes -', { stdin });
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining(message)]);
});

test('a worker starts what the container would, word by word', () => {
  const word = fc.string({ unit: fc.constantFrom(...Array.from('ab $\'"\\\n*?~#&;|<>=()`')), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (args) => {
      const argv = ['/bin/echo', ...args];
      // `$(` and `$$` have a meaning to Kubernetes
      fc.pre(args.every((arg) => !/\$[($]/.test(arg)));
      const { command } = commandOf({ command: argv });
      const found = payloadCommandOf(
        { command },
        { allow: [anchored('[^]*')], allowShell: true, allowUsers: [], allowEnv: [], ownUser: 'me' },
      );
      if (typeof found === 'string') throw new Error(found);
      const [shell, , line] = found.argv;
      // A shell reads single quotes as `plainWords` does.
      expect(shell === '/bin/sh' ? shellWordsOf(line!) : found.argv).toEqual(argv);
    }),
  );
});

/** The words of a line in which all that is special is in single quotes. */
const shellWordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\'/g, (_, inner: string | undefined) => inner ?? "'"),
  );

test.each([
  [
    ['sh', '-c', 'echo $(date +%F) $(REGION) $$(REGION) $$HOME'],
    "sh -c 'echo $(date +%F) eu $(REGION) $HOME'",
  ],
  [['run', '$(LATER)'], "run '$(LATER)'"],
])('$(NAME) of a variable is its value: %j', (command, line) => {
  expect(commandOf({ command, env: [{ name: 'REGION', value: 'eu' }] }).command).toBe(line);
});

test('a command with the value of a Secret in it is refused', () => {
  const container = {
    command: ['psql', '$(URL)'],
    env: [{ name: 'URL', valueFrom: { secretKeyRef: { name: 'db', key: 'url' } } }],
  };
  expect(() => commandOf(container)).toThrow('its command has $(URL), whose value is not in the manifest');
});
