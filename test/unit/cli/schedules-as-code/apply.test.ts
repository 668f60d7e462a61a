import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApiDocument } from '../../../../lambdas/core/http/openapi/document';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const FILE = `
defaults:
  tags: { managed-by: jobs.yaml }
jobs:
  report:
    schedule: { type: cron, expression: 30 9 * * MON-FRI, timezone: Europe/Berlin }
    target: { type: http, url: https://example.com/report }
    payload: { kind: daily, to: [a, b] }
  ping:
    schedule: rate(5 minutes)
    target: { type: http, url: https://example.com/ping }
    orderingKey: customer/42
  once:
    schedule: { type: at, at: 2027-12-01T09:00:00Z }
    target: { type: http, url: https://example.com/once }
    misfire: { grace: 90s }
`;

function file(text = FILE): string {
  const path = join(session.home, 'jobs.yaml');
  writeFileSync(path, text);
  return path;
}

/** The requests that change something. */
const writes = () =>
  session.requests.filter((one) => /^(PUT|PATCH|DELETE) /.test(one) || /\/(pause|resume)$/.test(one));

describe('a job that does not exist yet', () => {
  test('is planned with its first due time, and not created', async () => {
    const { stdout, exitCode } = await session.run(`plan ${file()}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\+ report  30 9 \* \* MON-FRI Europe\/Berlin, first \d{4}-/);
    expect(stdout).toContain('+ once  2027-12-01T09:00:00Z, first 2027-12-01 09:00:00Z\n');
    expect(stdout).toContain('    target   POST https://example.com/report\n');
    expect(stdout).toContain('    payload  {"kind":"daily","to":["a","b"]}\n');
    expect(stdout).toMatch(/\n3 to add, 0 to change, 0 to remove, 0 unchanged\.\n$/);
    expect(writes()).toEqual([]);
  });

  test('is created', async () => {
    const { stdout, exitCode } = await session.run(`apply --yes ${file()}`);
    expect([exitCode, stdout.split('\n').at(-2)]).toEqual([0, 'Done: 3 of 3.']);
    expect(await session.json('jobs get report')).toMatchObject({
      payload: { kind: 'daily', to: ['a', 'b'] },
    });
  });
});

describe('a job that matches the file', () => {
  beforeEach(() => session.run(`apply --yes ${file()}`));

  test('is left alone, whatever defaults the API has filled in', async () => {
    session.requests.length = 0;
    expect(await session.run(`apply --yes ${file()}`)).toMatchObject({
      exitCode: 0,
      stdout: 'Nothing to do: 3 unchanged.\n',
    });
    expect(writes()).toEqual([]);
  });

  test('lets plan exit with 0; any difference makes it exit with 2', async () => {
    expect(await session.run(`plan ${file()} --detailed-exitcode`)).toMatchObject({ exitCode: 0 });
    expect(
      await session.run(`plan ${file(FILE.replace('5 minutes', '6 minutes'))} --detailed-exitcode`),
    ).toMatchObject({ exitCode: 2 });
  });

  test('keeps its generation when another field changes', async () => {
    await session.run(`apply --yes ${file(FILE.replace('daily', 'weekly'))}`);
    expect(await session.json('jobs get report')).toMatchObject({
      generation: 1,
      payload: { kind: 'weekly' },
    });
  });
});

describe('a job that differs from the file', () => {
  const CHANGED = FILE.replace('MON-FRI', 'MON')
    .replace('[a, b]', '[a, c]')
    .replace('    misfire: { grace: 90s }\n', '')
    .replace(
      'https://example.com/ping }',
      'https://example.com/ping, timeout: 5s }\n    tags: { team: billing }',
    );
  beforeEach(() => session.run(`apply --yes ${file()}`));

  test('is shown field by field', async () => {
    const { stdout } = await session.run(`plan ${file(CHANGED)}`);
    expect(stdout).toBe(`~ report
    schedule.expression  "30 9 * * MON-FRI" → "30 9 * * MON"
    payload.to  ["a","b"] → ["a","c"]
~ ping
    target.timeout  "30s" → "5s"
    tags.team  (none) → "billing"
~ once
    misfire.grace  "90s" → "60s"

0 to add, 3 to change, 0 to remove, 0 unchanged.
`);
  });

  test('is changed to match the file', async () => {
    expect(await session.run(`apply --yes ${file(CHANGED)}`)).toMatchObject({ exitCode: 0 });
    expect(await session.run(`plan ${file(CHANGED)} --detailed-exitcode`)).toMatchObject({ exitCode: 0 });
  });

  test('is listed as JSON with --json', async () => {
    const plan = await session.json(`plan ${file(CHANGED)}`);
    expect(plan.changed[2]).toEqual({
      jobId: 'once',
      changes: [{ path: 'misfire.grace', from: '90s', to: '60s' }],
    });
  });

  test('is not overwritten if it has changed since the comparison', async () => {
    const { body, headers } = await session.world.get('report');
    await session.world.patch('report', { priority: 'high' });
    session.instead.push(new Response(JSON.stringify(openApiDocument())));
    session.instead.push(new Response(JSON.stringify(body), { headers }));
    const only = CHANGED.slice(0, CHANGED.indexOf('  ping:'));
    const { exitCode, stderr } = await session.run(`apply --yes ${file(only)}`);
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(/jobs\.yaml:5: report: Precondition failed \(412\)/);
    expect(await session.json('jobs get report')).toMatchObject({ priority: 'high' });
  });
});

test('a schedule in a file can be in words', async () => {
  const words = FILE.replace('rate(5 minutes)', 'every 5 minutes').replace(
    '{ type: at, at: 2027-12-01T09:00:00Z }',
    '0 9 * * *',
  );
  expect(await session.run(`apply --yes ${file(words)}`)).toMatchObject({ exitCode: 0 });
  expect(await session.json('jobs get ping')).toMatchObject({ schedule: { type: 'interval', every: '5m' } });
  expect(await session.json('jobs get once')).toMatchObject({
    schedule: { type: 'cron', expression: '0 9 * * *' },
  });
  const { stderr, exitCode } = await session.run(
    `plan ${file(FILE.replace('rate(5 minutes)', 'sometimes'))}`,
  );
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/jobs\.yaml:10: ping: schedule: "sometimes" is not a schedule/);
});

describe('--prune', () => {
  test('removes only jobs that have the tag and are not in the file', async () => {
    await session.run(`apply --yes ${file()}`);
    await session.run("jobs create mine --schedule 'every 5m' --http https://example.com");
    const shorter = FILE.slice(0, FILE.indexOf('  once:'));
    expect((await session.run(`plan ${file(shorter)}`)).stdout).toBe('Nothing to do: 2 unchanged.\n');
    const { stdout } = await session.run(`apply --yes ${file(shorter)} --prune managed-by:jobs.yaml`);
    expect(stdout).toContain('- once\n');
    expect((await session.json('jobs list')).map(({ jobId }: { jobId: string }) => jobId)).toEqual([
      'mine',
      'ping',
      'report',
    ]);
  });

  test('requires key:value', async () => {
    expect(await session.run(`plan ${file()} --prune managed-by`)).toMatchObject({ exitCode: 3 });
  });
});

describe('paused', () => {
  const paused = (value: string) => `${FILE}    paused: ${value}\n`;

  test('a job that is created paused is never active with its schedule', async () => {
    await session.run(`apply --yes ${file(paused('true'))}`);
    const job = await session.json('jobs get once');
    expect(job).toMatchObject({ status: 'paused', schedule: { at: '2027-12-01T09:00:00Z' } });
    const first = session.requests
      .filter((one) => one.includes('/once'))
      .filter((one) => !/^(GET|CHECK) /.test(one));
    expect(first).toEqual(['PUT /v1/jobs/once', 'POST /v1/jobs/once/pause', 'PUT /v1/jobs/once']);
    expect(await session.run(`plan ${file(paused('true'))} --detailed-exitcode`)).toMatchObject({
      exitCode: 0,
    });
  });

  test('a job is paused and resumed, and left alone if the file does not say', async () => {
    await session.run(`apply --yes ${file(paused('false'))}`);
    expect((await session.run(`apply --yes ${file(paused('true'))}`)).stdout).toContain('~ once  pause\n');
    expect(await session.json('jobs get once')).toMatchObject({ status: 'paused' });
    expect(await session.run(`plan ${file()} --detailed-exitcode`)).toMatchObject({ exitCode: 0 });
    await session.run(`apply --yes ${file(paused('false'))}`);
    expect(await session.json('jobs get once')).toMatchObject({ status: 'active' });
  });
});

describe('a plan without the right to write', () => {
  const env = { QUARTERJACK_TOKEN: 'reader' };

  test('checks the schedules, and says so', async () => {
    const { exitCode, stderr } = await session.run(`plan ${file()}`, { env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'Only the schedules were checked: to check the other fields, the token needs jobs:write.\n',
    });
    expect(JSON.parse((await session.run(`plan ${file()} --json`, { env })).stdout)).toMatchObject({
      isChecked: false,
    });
    expect(await session.run(`plan ${file(FILE.replace('30 9 *', '99 9 *'))}`, { env })).toMatchObject({
      exitCode: 3,
    });
  });
});

test('a check that the API does not answer is repeated', async () => {
  session.instead.push(new Response(JSON.stringify(openApiDocument())), new Response('{}', { status: 404 }));
  session.instead.push(new Error('down'));
  const only = FILE.slice(0, FILE.indexOf('  ping:'));
  expect(await session.run(`plan ${file(only)}`)).toMatchObject({ exitCode: 0 });
  expect(session.requests.filter((one) => one.startsWith('CHECK'))).toHaveLength(2);
});

describe('a mistake in the file', () => {
  test('in a schedule is reported with its line before anything is changed', async () => {
    const { exitCode, stderr } = await session.run(`apply --yes ${file(FILE.replace('30 9 *', '99 9 *'))}`);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/jobs\.yaml:6: report: schedule\.expression: .*99/);
    expect(writes()).toEqual([]);
  });

  test.each<[string, string, string, RegExp]>([
    [
      'its shape',
      'payload: { kind: daily, to: [a, b] }',
      'priority: urgent',
      /jobs\.yaml:8: report: priority: /,
    ],
    [
      'a limit',
      'kind: daily',
      `text: ${'x'.repeat(70_000)}`,
      /:8: report: payload: must have at most 65536 bytes/,
    ],
    ['the kind of URL', 'https://example.com/report', 'ftp://example.com', /:7: report: target\.url: /],
    ['a variable', 'https://example.com/report', '"${BASE_URL}/x"', /:7: the variable BASE_URL is not set/],
    ['an address', 'https://example.com/report', 'https://192.168.1.1', /:7: report: target\.url: /],
    ['a pool', 'orderingKey: customer/42', 'pool: nowhere', /:12: ping: pool: "nowhere" is no pool/],
  ])('%s is refused by plan and apply before anything is changed', async (_name, from, to, message) => {
    const path = file(FILE.replace(from, to));
    for (const command of ['plan', 'apply']) {
      const { exitCode, stderr, stdout } = await session.run(`${command} ${path}`);
      expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
      expect(stderr).toMatch(message);
    }
    expect(writes()).toEqual([]);
    expect(await session.json('jobs list')).toEqual([]);
  });

  test('all mistakes are reported at once, of the schedule and of other fields', async () => {
    const wrong = FILE.replace('30 9 *', '99 9 *')
      .replace('https://example.com/report', 'ftp://x')
      .replace('5 minutes', '0 minutes');
    const { stderr } = await session.run(`plan ${file(wrong)}`);
    expect(stderr).toMatch(
      /:6: report: schedule\.expression: .*\n.*:7: report: target\.url: .*\n.*:10: ping: schedule/,
    );
  });

  test('in a change of an existing job is refused, too, and the job stays as it is', async () => {
    await session.run(`apply --yes ${file()}`);
    const { exitCode } = await session.run(
      `plan ${file(FILE.replace('customer/42', `"${'x'.repeat(300)}"`))}`,
    );
    expect(exitCode).toBe(3);
    expect(await session.json('jobs get ping')).toMatchObject({ orderingKey: 'customer/42', generation: 1 });
  });

  test('in its structure is reported, as is a missing file; an empty list is valid', async () => {
    expect((await session.run('plan nowhere.yaml')).stderr).toBe('quarterjack: nowhere.yaml: no such file\n');
    expect(await session.run(`plan ${file('jobs: 5')}`)).toMatchObject({ exitCode: 3 });
    expect(await session.run('apply - --yes', { stdin: 'jobs: []' })).toMatchObject({ exitCode: 0 });
  });
});
