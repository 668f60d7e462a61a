import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { putEnded } from '../../api/ended-row';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const CREATE = "jobs create report --schedule '0 9 * * *' --http https://example.com/hook";

describe('jobs create', () => {
  test('creates the job that the flags describe', async () => {
    const { exitCode, stdout } = await session.run(
      `${CREATE} --timezone Europe/Berlin --name 'Daily report' --method PUT --header 'X-Kind: a:b' --payload '{"n":1}'
       --priority high --retry-attempts 5 --overlap skip --misfire skip --timeout 2m --tag team=billing --tag a=b=c`,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Created report\.\n\njob +report\n/);
    expect(await session.json('jobs get report')).toMatchObject({
      name: 'Daily report',
      schedule: { type: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' },
      target: { type: 'http', url: 'https://example.com/hook', method: 'PUT', headers: { 'X-Kind': 'a:b' } },
      payload: { n: 1 },
      priority: 'high',
      retry: { maxAttempts: 5 },
      overlap: 'skip',
      misfire: { policy: 'skip' },
      timeout: '2m',
      tags: { team: 'billing', a: 'b=c' },
    });
  });

  test('reads a definition from a file or stdin, and flags override it', async () => {
    const file = join(session.home, 'job.yaml');
    writeFileSync(
      file,
      'schedule: { type: delay, delay: 10m }\ntarget:\n  type: http\n  url: https://example.com/a\n',
    );
    await session.run(`jobs create a --file ${file} --schedule 'in 5m'`);
    expect(await session.json('jobs get a')).toMatchObject({ schedule: { type: 'delay', delay: '5m' } });
    const stdin = JSON.stringify({
      jobId: 'b',
      schedule: 'rate(5 minutes)',
      target: { type: 'http', url: 'https://e.com' },
    });
    expect(await session.run('jobs create --file -', { stdin })).toMatchObject({ exitCode: 0 });
    expect(await session.json('jobs get b')).toMatchObject({ schedule: 'rate(5 minutes)' });
  });
});

test('flags set the retry policy, and leave its other fields as they are', async () => {
  await session.run(
    `${CREATE} --retry-delay 2h --retry-max-delay 3h --retry-multiplier 1 --retry-jitter none --retry-on '409, 5XX'`,
  );
  const created = { initialDelay: '2h', maxDelay: '3h', multiplier: 1, jitter: 'none', on: [409, '5xx'] };
  expect(await session.json('jobs get report')).toMatchObject({ retry: created });
  await session.run('jobs edit report --retry-on none');
  expect(await session.json('jobs get report')).toMatchObject({ retry: { ...created, on: [] } });
});

test('templates are switched on and off by flags', async () => {
  await session.run(`${CREATE} --templates --cloud-events --payload '"{{ run.day }}"'`);
  expect(await session.json('jobs get report')).toMatchObject({ target: { cloudEvents: true } });
  await session.run("jobs edit report --name 'Still with templates'");
  expect(await session.json('jobs get report')).toMatchObject({ templates: true });
  const { exitCode, stderr } = await session.run(`jobs edit report --payload '"{{ run.dya }}"'`);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('payload {{ run.dya }}: run has no field "dya"; did you mean "day"?');
  await session.run('jobs edit report --no-templates');
  expect(await session.json('jobs get report')).toMatchObject({ templates: false });
});

test('a taken id says by what, and what to do', async () => {
  await session.run(CREATE);
  const { exitCode, stderr } = await session.run(CREATE);
  expect(exitCode).toBe(6);
  expect(stderr).toMatch(
    /is taken, by a job that is active: change it with jobs edit, or choose another id\n$/,
  );
});

test('a tag is typed with = or :, to set it and to select by it', async () => {
  await session.run(`${CREATE} --tag team:billing --tag url=http://x`);
  expect(await session.json('jobs get report')).toMatchObject({ tags: { team: 'billing', url: 'http://x' } });
  for (const tag of ['team=billing', 'team:billing'])
    expect(await session.json(`jobs list --tag ${tag}`)).toHaveLength(1);
  expect((await session.run('jobs pause --tag team=billing')).stdout).toBe('one job paused\n');
});

describe('jobs create with a wrong value', () => {
  test.each([
    ['jobs create a --http https://example.com', '--schedule is missing'],
    ["jobs create a --schedule 'in 5m'", 'the target is missing: give --http, --queue,'],
    ["jobs create a --schedule 'sometimes' --http https://example.com", '"sometimes" is not a schedule'],
    [`${CREATE} --payload {`, '--payload is not JSON'],
    [`${CREATE} --tag billing`, '--tag is "billing"; expected name=value or name:value'],
    [`${CREATE} --retry-on 409,6xx`, '--retry-on is "409,6xx"; expected statuses from 300 to 599'],
    [`${CREATE} --retry-multiplier x`, '--retry-multiplier is "x"; expected a number'],
    [`${CREATE} --retry-jitter some`, 'Allowed choices are full, none'],
    [`${CREATE} --retry-attempts many`, '--retry-attempts is "many"; expected a whole number'],
    [`${CREATE} --priority urgent`, 'Allowed choices are highest, high'],
    ['jobs create --file nowhere.yaml', 'nowhere.yaml: no such file'],
  ])('%s sends nothing', async (args, message) => {
    const { exitCode, stderr } = await session.run(args);
    expect({ exitCode, requests: session.requests }).toEqual({ exitCode: 3, requests: [] });
    expect(stderr).toContain(message);
  });

  test('names the field that the API rejects', async () => {
    const { exitCode, stderr } = await session.run(
      "jobs create a --schedule '0 9 * * *' --timezone Mars --http ftp://x",
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^quarterjack: \S+ .+\n$/);
    expect(stderr).not.toContain('    at ');
  });
});

describe('jobs list', () => {
  beforeEach(async () => {
    for (const id of ['a', 'b', 'c']) await session.run(`${CREATE.replace('report', id)} --tag id=${id}`);
  });

  test('prints a table', async () => {
    const { stdout } = await session.run('jobs list');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toBe('JOB  STATUS  LAST  NEXT    DUE                   SCHEDULE   NAME');
    expect(rows.map((row) => row.split(/\s{2,}/)[0])).toEqual(['a', 'b', 'c']);
    expect(rows[0]).toContain('in 30m  2026-12-01 09:00:00Z  0 9');
  });

  test('shows what is due next on the clocks of the schedule', async () => {
    await session.run(`${CREATE.replace('report', 'd')} --timezone Europe/Berlin`);
    const [, a, , , d] = (await session.run('jobs list')).stdout.split('\n');
    expect(a).toMatch(/ 2026-12-01 09:00:00Z +0 9/);
    expect(d).toMatch(/ in 23h 30m +Wed 2026-12-02 09:00:00\+01:00 +0 9/);
  });

  test('shows how each job last went, and selects by that', async () => {
    await putEnded(session.world, 'b', session.world.clock.nowMs(), { status: 'failed', reason: 'fatal' });
    await session.world.clock.advance(1_000);
    const rows = (await session.run('jobs list')).stdout.split('\n').map((row) => row.split(/\s{2,}/));
    expect(rows.slice(1, 4).map(([id, , last]) => [id, last])).toEqual([
      ['a', '–'],
      ['b', 'failed'],
      ['c', '–'],
    ]);
    expect((await session.run('jobs list --last-status failed')).stdout).toMatch(/^JOB.*\nb +active/);
    expect(session.requests.at(-1)).toBe('GET /v1/jobs?lastStatus=failed&limit=101&fields=summary');
    const [failed] = await session.json('jobs list --last-status failed --target example.com --kind plain');
    expect(failed).toMatchObject({ jobId: 'b', retry: { maxAttempts: 3 } });
  });

  test('lets the API filter', async () => {
    expect((await session.json('jobs list --tag id:b')).map(({ jobId }: { jobId: string }) => jobId)).toEqual(
      ['b'],
    );
    expect(await session.json('jobs list --status paused')).toEqual([]);
    expect(session.requests).toContain('GET /v1/jobs?status=paused&limit=100');
  });

  test('says if there are more jobs than it shows', async () => {
    const { stdout, stderr } = await session.run('jobs list --limit 2 --json');
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(stderr).toContain('There are more than 2 jobs');
    expect((await session.run('jobs list --limit 3')).stderr).toBe('');
  });
});

describe('pause, resume and delete', () => {
  beforeEach(async () => {
    for (const id of ['a', 'b', 'c'])
      await session.run(`${CREATE.replace('report', id)} --tag kind=${id === 'c' ? 'y' : 'x'}`);
  });

  test('accept job ids', async () => {
    expect(await session.run('jobs pause a b')).toMatchObject({
      exitCode: 0,
      stdout: 'a paused\nb paused\n',
    });
    expect(await session.json('jobs get a')).toMatchObject({ status: 'paused' });
    await session.run('jobs resume a');
    expect(await session.json('jobs get a')).toMatchObject({ status: 'active' });
  });

  test('say that a job has nothing left to run', async () => {
    const { world } = session;
    await session.run(
      'jobs create once --schedule {"type":"delay","delay":"10s"} --http https://example.com/hook',
    );
    const dueAtMs = world.clock.nowMs() + 10_000;
    await world.clock.advance(11_000);
    await putEnded(world, 'once', dueAtMs);
    expect((await session.run('jobs pause once a')).stdout).toBe(
      'once paused; it is completed, and has nothing left to run\na paused\n',
    );
    expect(await session.json('jobs pause once')).toEqual([
      { jobId: 'once', outcome: 'paused', status: 'completed' },
    ]);
    const row = (await session.run('jobs list')).stdout.split('\n').find((line) => line.startsWith('once'));
    expect(row).toMatch(/^once +completed /);
  });

  test('accept a tag', async () => {
    expect((await session.run('jobs delete --tag kind:x --yes')).stdout).toBe('2 jobs deleted\n');
    expect((await session.json('jobs list')).map(({ jobId }: { jobId: string }) => jobId)).toEqual(['c']);
  });

  test('continue if a job fails, and exit with the code of its error', async () => {
    const { exitCode, stdout } = await session.run('jobs pause a nope c');
    expect(exitCode).toBe(5);
    expect(stdout).toBe('a paused\nnope failed: Not found (404): no such job\nc paused\n');
  });

  test.each(['jobs delete', 'jobs delete a --tag kind:x'])('%s is rejected', async (args) => {
    expect(await session.run(args)).toMatchObject({ exitCode: 3 });
    expect(await session.json('jobs list')).toHaveLength(3);
  });

  test('show a progress bar on a terminal, and remove it at the end', async () => {
    const { stderr } = await session.run('jobs pause a b c', { isTTY: true });
    expect(stderr).toContain('3/3');
    expect(stderr.endsWith('\r\x1b[2K')).toBe(true);
    expect((await session.run('jobs pause a b c')).stderr).toBe('');
  });
});

describe('jobs edit', () => {
  beforeEach(() => session.run(CREATE));

  test('changes only what the flags name', async () => {
    await session.run('jobs edit report --priority low --timezone Europe/Berlin');
    expect(await session.json('jobs get report')).toMatchObject({
      priority: 'low',
      schedule: { type: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' },
      target: { url: 'https://example.com/hook' },
    });
  });

  test('opens an editor without flags', async () => {
    const env = { EDITOR: "sed -i 's/priority: medium/priority: high/'" };
    expect(await session.run('jobs edit report', { env })).toMatchObject({ exitCode: 0 });
    expect(await session.json('jobs get report')).toMatchObject({
      priority: 'high',
      schedule: { type: 'cron' },
    });
    expect((await session.run('jobs edit report', { env: { EDITOR: 'true' } })).stderr).toBe(
      'Nothing was changed.\n',
    );
    expect(await session.run('jobs edit report', { env: { EDITOR: 'false' } })).toMatchObject({
      exitCode: 1,
    });
    expect(await session.run('jobs edit report')).toMatchObject({ exitCode: 3 });
  });

  test('does not overwrite a concurrent change', async () => {
    session.instead.push(await changedMeanwhile());
    expect(await session.run('jobs edit report --priority low')).toMatchObject({ exitCode: 6 });
    expect(await session.json('jobs get report')).toMatchObject({ priority: 'high' });
  });

  async function changedMeanwhile(): Promise<Response> {
    const { body, headers } = await session.world.get('report');
    await session.world.patch('report', { priority: 'high' });
    return new Response(JSON.stringify(body), { headers });
  }
});

describe('jobs run', () => {
  beforeEach(() => session.run(CREATE));

  test('prints the id of the execution', async () => {
    const { stdout } = await session.run('jobs run report --payload {"x":1}');
    expect(stdout).toMatch(/^Running report as \S+\.\n$/);
  });

  test('waits with --wait, and its exit code says whether the execution succeeded', async () => {
    for (const [status, exitCode] of [
      ['succeeded', 0],
      ['failed', 8],
    ] as const) {
      const started = await session.world.post('report', 'run');
      const ended = { ...started.body, status, reason: status === 'failed' ? 'fatal' : null };
      session.instead.push(new Response(JSON.stringify(started.body), { status: 202 }));
      session.instead.push(new Response(JSON.stringify(ended)));
      expect(await session.run('jobs run report --wait --json')).toMatchObject({
        exitCode,
        stdout: `${JSON.stringify(ended, null, 2)}\n`,
      });
    }
  });

  test('stops waiting after --timeout', async () => {
    const { exitCode, stderr } = await session.run('jobs run report --wait --timeout 10ms');
    expect(exitCode).toBe(8);
    expect(stderr).toContain('is queued after 10 ms');
  });
});
