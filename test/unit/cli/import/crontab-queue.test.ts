import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { dynamoUsageStore } from '../../../../lambdas/core/store/dynamo/dynamo-usage-store';
import { noQuotas } from '../../../support/no-quotas';
import { anchored, payloadCommandOf } from '../../../../cli/work/payload-command';
import { Session } from '../terminal-session';

const MACHINE = {
  'etc/crontab': `SHELL=/bin/bash
PATH=/usr/sbin:/usr/bin
MAILTO=ops@example.com,root
17 * * * * root cd / && run-parts --report /etc/cron.hourly
*/5 * * * * www-data curl -fsS https://example.com/cron
`,
  'etc/cron.d/backup':
    "MAILTO=ops@example.com,root\n0 3 * * * backup /usr/local/bin/backup.sh --to 'a (b)'\n",
  'etc/cron.d/backup.dpkg-old': '0 3 * * * root /bin/old\n',
  'var/spool/cron/crontabs/alice': '@daily mail -s done me@example.com%Hello%bye\n@reboot /bin/x\n',
};

let session: Session;
let root: string;
beforeEach(() => {
  session = new Session();
  root = join(session.home, 'machine');
  for (const [path, text] of Object.entries(MACHINE)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterEach(() => session.end());

const imported = (more = '') =>
  session.run(`import crontab --machine ${root} --queue host-1 --timezone UTC ${more}`);

test('all crontabs of a machine become jobs of its queue, and its mail a notification', async () => {
  const { exitCode, stdout, stderr } = await imported('--apply --yes');
  expect(exitCode).toBe(1); // @reboot
  expect(stdout).toContain('4 can be imported, 1 cannot.');
  expect(stdout).toContain('+ notification to ops@example.com  failed, recovered');
  expect(stdout).toContain('no notification goes to root, here and in later lines');
  expect(stderr).toContain('quarterjack work --queue host-1');
  const jobs = await session.json('jobs list --tag queue:host-1');
  const byUser = Object.fromEntries(
    jobs.map((job: { tags: { user: string } }) => [job.tags.user, job]),
  ) as Record<string, unknown>;
  expect(byUser).toMatchObject({
    root: {
      target: { type: 'worker', queue: 'host-1' },
      payload: {
        command: 'cd / && run-parts --report /etc/cron.hourly',
        user: 'root',
        env: { SHELL: '/bin/bash', PATH: '/usr/sbin:/usr/bin' },
      },
      tags: { 'imported-from': 'crontab', mailto: 'ops@example.com,root' },
      retry: { maxAttempts: 1 },
      timeout: '24h',
    },
    'www-data': { target: { type: 'http', url: 'https://example.com/cron' } },
    backup: { payload: { user: 'backup' } },
    alice: { payload: { command: 'mail -s done me@example.com', stdin: 'Hello\nbye', user: 'alice' } },
  });
  expect(await session.json('notifications list')).toMatchObject([
    {
      on: ['failed', 'recovered'],
      filter: { tag: 'mailto:ops@example.com,root' },
      target: { type: 'email', to: 'ops@example.com' },
    },
  ]);
  const again = await imported('--apply --yes');
  expect(again.stdout).not.toContain('Done');
});

test('the printed worker may run each imported command, and no other', async () => {
  const { stderr } = await imported();
  const flags = (name: string) =>
    [...stderr.matchAll(new RegExp(`--${name} (?:'((?:[^']|'\\\\'')*)'|(\\S+))`, 'g'))].map(
      ([, quoted, plain]) => plain ?? quoted!.replaceAll("'\\''", "'"),
    );
  const rules = {
    allow: flags('allow').map(anchored),
    allowShell: stderr.includes('--allow-shell'),
    allowUsers: flags('allow-user'),
    allowEnv: flags('allow-env'),
    ownUser: 'root',
  };
  expect(rules).toMatchObject({ allowUsers: ['alice', 'backup', 'root'], allowEnv: ['PATH', 'SHELL'] });
  await imported('--apply --yes');
  const jobs = await session.json('jobs list --target host-1');
  expect(jobs).toHaveLength(3);
  for (const { payload } of jobs)
    expect(payloadCommandOf(payload, rules)).toMatchObject({ argv: expect.anything() });
  expect(payloadCommandOf({ command: "/usr/local/bin/backup.sh --to 'a b'" }, rules)).toContain('no --allow');
});

test('a flag of any command is no password', async () => {
  const stdin = '0 9 * * * id -un\n';
  const { stdout } = await session.run('import crontab - --queue host-1 --timezone UTC --json', { stdin });
  expect(JSON.parse(stdout)).toMatchObject({ jobs: [{ definition: { name: 'id -un' }, notes: [] }] });
});

test('the same line of two machines is two jobs', async () => {
  const ids = async (queue: string) => {
    const { stdout } = await session.run(`import crontab - --queue ${queue} --timezone UTC --json`, {
      stdin: '0 9 * * * /bin/x\n',
    });
    return (JSON.parse(stdout) as { jobs: { jobId: string }[] }).jobs.map(({ jobId }) => jobId);
  };
  expect(await ids('host-1')).not.toEqual(await ids('host-2'));
  expect(await ids('host-1')).toEqual(await ids('host-1'));
});

describe('the dry run refuses what the API would refuse', () => {
  const stdin = 'MAILTO=ops@example.com\n0 9 * * * /bin/x\n';
  const dryRun = (env: Record<string, string> = {}, text = stdin) =>
    session.run('import crontab - --queue host-1 --timezone UTC', { stdin: text, env });

  test('a notification without the right to make one', async () => {
    const detail = { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'scope' };
    session.beforeRequest = (_count, request) => {
      if (request === 'GET /v1/notifications') session.instead.push(Response.json(detail, { status: 403 }));
    };
    const { exitCode, stdout } = await dryRun();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /x stdin:2 {2}MAILTO=ops@example.com: a notification needs the scope project:admin/,
    );
    expect(stdout).toContain('1 can be imported, 1 cannot.');
  });

  test('an address that is none', async () => {
    const { stdout } = await dryRun({}, stdin.replace('ops@', 'ops@@'));
    expect(stdout).toContain('no notification goes to ops@@example.com');
  });

  test('more notifications by email than a project may have', async () => {
    for (let count = 0; count < 20; count++)
      await session.run(`notifications set n${count} --email a${count}@example.com`);
    const { stdout } = await dryRun();
    expect(stdout).toContain('MAILTO=ops@example.com: a project has at most 20 notifications by email');
  });

  test('jobs that exceed a quota together', async () => {
    const { dynamo, clock, random } = session.world;
    const usage = dynamoUsageStore({ documents: dynamo, table: 'Jobs', clock, random });
    const limits = { ...noQuotas.quotaLimits, jobs: 120 };
    Object.assign(session.world.deps, { quotas: quotas(limits, { usage, clock }) });
    const lines = Array.from({ length: 150 }, (_, index) => `0 9 * * * /bin/x ${index}\n`).join('');
    const { stdout, exitCode } = await dryRun({}, lines);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('x all jobs together  the quota jobs is 120: 0 are used');
  });
});

test('a file has the jobs and the notifications, and is applied once', async () => {
  const out = join(session.home, 'jobs.yaml');
  await imported(`--out ${out}`);
  expect((await session.run(`apply --yes ${out} --yes`)).stdout).toContain('Done: 5 of 5.');
  expect((await imported('--apply --yes')).stdout).toContain('Nothing to do: 4 unchanged.');
});

test.each([
  ['--queue host-1 --url-template https://x.test -', 'use either --queue or --url-template, not both'],
  ['--queue a/b -', '--queue is "a/b"; expected 1 to 64 letters'],
  ['--queue host-1', 'give the file of a crontab, - for stdin, or --machine'],
  ['--machine /nowhere --queue host-1', 'no crontab in /nowhere/etc'],
])('import crontab %s is a usage error', async (args, message) => {
  const { exitCode, stderr } = await session.run(`import crontab ${args}`);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(message);
});
