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
  heartbeat:
    schedule: rate(5 minutes)
    target: { type: http, url: https://example.com/heartbeat }
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

/** Requests that change something. */
const writes = () =>
  session.requests.filter((one) => /^(PUT|PATCH|DELETE) /.test(one) || /\/(pause|resume)$/.test(one));

describe('what is not there yet', () => {
  test('is planned with its first time, and nothing is done', async () => {
    const { stdout, exitCode } = await session.run(`plan ${file()}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\+ report  30 9 \* \* MON-FRI Europe\/Berlin, first \d{4}-/);
    expect(stdout).toContain('+ once  2027-12-01T09:00:00Z, first 2027-12-01 09:00:00Z\n');
    expect(stdout).toMatch(/\n3 to add, 0 to change, 0 to remove, 0 unchanged\.\n$/);
    expect(writes()).toEqual([]);
  });

  test('is made', async () => {
    const { stdout, exitCode } = await session.run(`apply ${file()}`);
    expect([exitCode, stdout.split('\n').at(-2)]).toEqual([0, 'Done: 3 of 3.']);
    expect(await session.json('jobs get report')).toMatchObject({
      payload: { kind: 'daily', to: ['a', 'b'] },
    });
  });
});

describe('what is as the file says', () => {
  beforeEach(() => session.run(`apply ${file()}`));

  test('is left alone, whatever the API has filled in', async () => {
    session.requests.length = 0;
    expect(await session.run(`apply ${file()}`)).toMatchObject({
      exitCode: 0,
      stdout: 'Nothing to do: 3 unchanged.\n',
    });
    expect(writes()).toEqual([]);
  });

  test('ends a plan with 0, and with 2 where there is something to apply', async () => {
    expect(await session.run(`plan ${file()} --detailed-exitcode`)).toMatchObject({ exitCode: 0 });
    expect(
      await session.run(`plan ${file(FILE.replace('5 minutes', '6 minutes'))} --detailed-exitcode`),
    ).toMatchObject({ exitCode: 2 });
  });

  test('keeps its generation when another field changes', async () => {
    await session.run(`apply ${file(FILE.replace('daily', 'weekly'))}`);
    expect(await session.json('jobs get report')).toMatchObject({
      generation: 1,
      payload: { kind: 'weekly' },
    });
  });
});

describe('what is otherwise', () => {
  const CHANGED = FILE.replace('MON-FRI', 'MON')
    .replace('[a, b]', '[a, c]')
    .replace('    misfire: { grace: 90s }\n', '')
    .replace(
      'https://example.com/heartbeat }',
      'https://example.com/heartbeat, timeout: 5s }\n    tags: { team: billing }',
    );
  beforeEach(() => session.run(`apply ${file()}`));

  test('is shown field by field', async () => {
    const { stdout } = await session.run(`plan ${file(CHANGED)}`);
    expect(stdout).toBe(`~ report
    schedule.expression  "30 9 * * MON-FRI" → "30 9 * * MON"
    payload.to  ["a","b"] → ["a","c"]
~ heartbeat
    target.timeout  "30s" → "5s"
    tags.team  (none) → "billing"
~ once
    misfire.grace  "90s" → "60s"

0 to add, 3 to change, 0 to remove, 0 unchanged.
`);
  });

  test('is changed, and then it is as the file says', async () => {
    expect(await session.run(`apply ${file(CHANGED)}`)).toMatchObject({ exitCode: 0 });
    expect(await session.run(`plan ${file(CHANGED)} --detailed-exitcode`)).toMatchObject({ exitCode: 0 });
  });

  test('is JSON for scripts', async () => {
    const plan = await session.json(`plan ${file(CHANGED)}`);
    expect(plan.changed[2]).toEqual({
      jobId: 'once',
      changes: [{ path: 'misfire.grace', from: '90s', to: '60s' }],
    });
  });

  test('is not overwritten where another has changed it since it was compared', async () => {
    const { body, headers } = await session.world.get('report');
    await session.world.patch('report', { priority: 'high' });
    session.instead.push(new Response(JSON.stringify(openApiDocument())));
    session.instead.push(new Response(JSON.stringify(body), { headers }));
    const only = CHANGED.slice(0, CHANGED.indexOf('  heartbeat:'));
    const { exitCode, stderr } = await session.run(`apply ${file(only)}`);
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(/jobs\.yaml:5: report: Precondition failed \(412\)/);
    expect(await session.json('jobs get report')).toMatchObject({ priority: 'high' });
  });
});

describe('--prune', () => {
  test('removes what has the tag and is not in the file, and nothing else', async () => {
    await session.run(`apply ${file()}`);
    await session.run("jobs create mine --schedule 'every 5m' --http https://example.com");
    const less = FILE.slice(0, FILE.indexOf('  once:'));
    expect((await session.run(`plan ${file(less)}`)).stdout).toBe('Nothing to do: 2 unchanged.\n');
    const { stdout } = await session.run(`apply ${file(less)} --prune managed-by:jobs.yaml`);
    expect(stdout).toContain('- once\n');
    expect((await session.json('jobs list')).map(({ jobId }: { jobId: string }) => jobId)).toEqual([
      'heartbeat',
      'mine',
      'report',
    ]);
  });

  test('needs a tag', async () => {
    expect(await session.run(`plan ${file()} --prune managed-by`)).toMatchObject({ exitCode: 3 });
  });
});

describe('paused', () => {
  const paused = (value: string) => `${FILE}    paused: ${value}\n`;

  test('a job that is made paused is never active with its schedule', async () => {
    await session.run(`apply ${file(paused('true'))}`);
    const job = await session.json('jobs get once');
    expect(job).toMatchObject({ status: 'paused', schedule: { at: '2027-12-01T09:00:00Z' } });
    const first = session.requests
      .filter((one) => one.includes('/once'))
      .filter((one) => !one.startsWith('GET'));
    expect(first).toEqual(['PUT /v1/jobs/once', 'POST /v1/jobs/once/pause', 'PUT /v1/jobs/once']);
    expect(await session.run(`plan ${file(paused('true'))} --detailed-exitcode`)).toMatchObject({
      exitCode: 0,
    });
  });

  test('is changed both ways, and left alone where the file does not say', async () => {
    await session.run(`apply ${file(paused('false'))}`);
    expect((await session.run(`apply ${file(paused('true'))}`)).stdout).toContain('~ once  pause\n');
    expect(await session.json('jobs get once')).toMatchObject({ status: 'paused' });
    expect(await session.run(`plan ${file()} --detailed-exitcode`)).toMatchObject({ exitCode: 0 });
    await session.run(`apply ${file(paused('false'))}`);
    expect(await session.json('jobs get once')).toMatchObject({ status: 'active' });
  });
});

describe('what cannot be', () => {
  test('a schedule: known before anything is done, with its line', async () => {
    const { exitCode, stderr } = await session.run(`apply ${file(FILE.replace('30 9 *', '99 9 *'))}`);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/jobs\.yaml:6: report: schedule\.expression: .*99/);
    expect(writes()).toEqual([]);
  });

  test('another field: with its line, and the other jobs are made', async () => {
    const { exitCode, stderr, stdout } = await session.run(
      `apply ${file(FILE.replace('kind: daily', `text: ${'x'.repeat(70_000)}`))}`,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/jobs\.yaml:8: report: payload: must have at most 65536 bytes/);
    expect(stdout).toContain('Done: 2 of 3.');
    expect(await session.json('jobs list')).toHaveLength(2);
  });

  test('a file that is not there, or is wrong, is named', async () => {
    expect((await session.run('plan nowhere.yaml')).stderr).toBe('quarterjack: nowhere.yaml: no such file\n');
    expect(await session.run(`plan ${file('jobs: 5')}`)).toMatchObject({ exitCode: 3 });
    expect(await session.run('apply -', { stdin: 'jobs: []' })).toMatchObject({ exitCode: 0 });
  });
});
