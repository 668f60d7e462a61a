import type { Execution } from '../../../../client';
import { changesSince } from '../../../../cli/commands/tail';
import { putEnded } from '../../api/ended-row';
import { FAILED } from '../failed-execution';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const EXECUTION: Execution = {
  ...FAILED,
  attempts: [
    {
      attempt: 1,
      fence: 4,
      startedAt: '2026-12-01T09:00:00.012Z',
      finishedAt: '2026-12-01T09:00:01.000Z',
      outcome: 'retriable',
      target: 0,
      statusCode: 503,
      error: 'busy\x1b[2J',
    },
  ],
};
const SKIPPED: Execution = {
  ...EXECUTION,
  execId: '20261201T080000.000Z',
  status: 'skipped',
  reason: 'paused',
  latenessMs: null,
  attempts: [],
  result: null,
  skipped: { from: '2026-12-01T08:00:00.000Z', to: '2026-12-01T08:50:00.000Z', count: 6 },
};
/** The response for a job that was deleted. */
const gone = () => new Response('{}', { status: 404 });
const page = (...items: Execution[]) => new Response(JSON.stringify({ items, nextCursor: null }));

test('a list shows the reasons', async () => {
  session.instead.push(page(EXECUTION, SKIPPED));
  const { stdout } = await session.run('executions list a --status failed');
  expect(stdout.split('\n').slice(1, 3)).toEqual([
    '2026-12-01 09:00:00Z  failed   12 ms  1         20261201T090000.000Z  attempts-exhausted: busy [2J',
    '2026-12-01 09:00:00Z  skipped         0         20261201T080000.000Z  paused: 6 from 2026-12-01 08:00:00Z to 2026-12-01 08:50:00Z',
  ]);
  expect(session.requests).toEqual(['GET /v1/jobs/a/executions?status=failed&limit=25', 'GET /v1/jobs/a']);
});

describe('a list of the executions of a job with a time zone', () => {
  const job = { jobId: 'a', schedule: { type: 'cron', expression: '0 9 * * *', timezone: 'Asia/Tokyo' } };
  const jobResponse = () => new Response(JSON.stringify(job));

  test('shows local times with their weekday too', async () => {
    session.instead.push(page(EXECUTION), jobResponse());
    const [head, row] = (await session.run('executions list a')).stdout.split('\n');
    expect(head).toMatch(/^DUE +STATUS/);
    expect(row).toMatch(/^Tue 2026-12-01 18:00:00\+09:00 {2}failed/);
  });

  test('needs no job for JSON, nor for an empty list', async () => {
    session.instead.push(page(EXECUTION), page());
    await session.json('executions list a');
    await session.run('executions list a');
    expect(session.requests).toEqual(Array(2).fill('GET /v1/jobs/a/executions?limit=25'));
  });

  test('fails if the job cannot be read, unless it was deleted', async () => {
    session.instead.push(page(EXECUTION), new Response('{}', { status: 403 }));
    expect(await session.run('executions list a')).toMatchObject({ exitCode: 4, stdout: '' });
    session.instead.push(page(EXECUTION), new Response('{}', { status: 404 }));
    expect((await session.run('executions list a')).stdout).toMatch(/^DUE +STATUS.*\n2026-12-01 09:00:00Z/);
  });
});

test('an execution is shown with its attempts, on the clocks of its job too', async () => {
  const job = { jobId: 'a', schedule: { type: 'cron', timezone: 'Asia/Tokyo' } };
  session.instead.push(new Response(JSON.stringify(job)), new Response(JSON.stringify(EXECUTION)));
  const local = (await session.run('executions show a 20261201T090000.000Z')).stdout;
  expect(local).toMatch(/due +Tue 2026-12-01 18:00:00\+09:00 {2}2026-12-01 09:00:00Z\n/);
  session.instead.push(gone(), new Response(JSON.stringify(EXECUTION)));
  const { stdout } = await session.run('executions show a 20261201T090000.000Z');
  expect(stdout).toMatch(/status +failed\n/);
  expect(stdout).toMatch(/result +503 try later\n/);
  expect(stdout).toMatch(/\n1 +4 +2026-12-01 09:00:00.012Z +retriable +503 +busy \[2J\n$/);
});

test.each([
  ['since it began', {}, /took +4\.0 s\n/],
  [
    'since its user ran it again',
    { retriedAt: '2026-12-01T10:00:00.000Z', finishedAt: '2026-12-01T10:00:02.000Z' },
    /retried +2026-12-01 10:00:00Z\nfinished .*\ntook +2\.0 s since it was retried\n/,
  ],
])('an execution says how long it took %s', async (_, fields, expected) => {
  const times = { startedAt: '2026-12-01T09:00:00.000Z', finishedAt: '2026-12-01T09:00:04.000Z' };
  session.instead.push(gone(), new Response(JSON.stringify({ ...EXECUTION, ...times, ...fields })));
  const { stdout } = await session.run('executions show a 20261201T090000.000Z');
  expect(stdout).toMatch(expected);
});

test('an execution that waits for its next attempt says until when', async () => {
  const waiting = { ...EXECUTION, status: 'retrying', nextAttemptAt: '2026-12-01T09:00:30.000Z' };
  session.instead.push(gone(), new Response(JSON.stringify(waiting)));
  const { stdout } = await session.run('executions show a 20261201T090000.000Z');
  expect(stdout).toMatch(/next attempt +2026-12-01 09:00:30Z\n/);
});

test('an execution is cancelled, and retried', async () => {
  for (let at = 0; at < 2; at++)
    session.instead.push(gone(), new Response(JSON.stringify(SKIPPED), { status: 202 }));
  await session.run('executions cancel a x');
  await session.run('executions retry a x');
  expect(session.requests).toEqual([
    'GET /v1/jobs/a',
    'POST /v1/jobs/a/executions/x/cancel',
    'GET /v1/jobs/a',
    'POST /v1/jobs/a/executions/x/retry',
  ]);
});

describe('tail', () => {
  const running: Execution = { ...EXECUTION, status: 'running', reason: null, result: null, attempts: [] };

  const scheduled: Execution = {
    ...SKIPPED,
    execId: 'next',
    status: 'scheduled',
    reason: null,
    skipped: null,
  };
  const job = (status: string) => new Response(JSON.stringify({ jobId: 'a', status }));
  const statuses = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/)[2]);

  test('prints each change once, until an execution has ended', async () => {
    session.instead.push(
      page(SKIPPED),
      job('paused'), // for its time zone
      job('paused'),
      page(running, SKIPPED),
      page(scheduled, running, SKIPPED),
    );
    session.instead.push(page(scheduled, EXECUTION, SKIPPED));
    const { stdout, exitCode } = await session.run('executions tail a --interval 1ms --once');
    expect(exitCode).toBe(0);
    expect(statuses(stdout)).toEqual(['skipped', 'running', 'failed']);
  });

  test('ends if the job has nothing left to run', async () => {
    session.instead.push(page(running), job('active'), page(EXECUTION), job('completed'));
    expect(statuses((await session.run('executions tail a --interval 1ms')).stdout)).toEqual([
      'running',
      'failed',
    ]);
    session.instead.push(page(EXECUTION), new Response('{}', { status: 404 }));
    expect(await session.run('executions tail a --last 0')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('prints one execution per line with --json', async () => {
    session.instead.push(page(), job('active'), job('active'), page(EXECUTION));
    const { stdout } = await session.run('executions tail a --interval 1ms --once --json');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([EXECUTION]);
  });

  test('shows the times on the clocks of the job too', async () => {
    const inTokyo = { jobId: 'a', status: 'completed', schedule: { type: 'cron', timezone: 'Asia/Tokyo' } };
    const response = () => new Response(JSON.stringify(inTokyo));
    session.instead.push(page(EXECUTION), response(), response());
    expect((await session.run('executions tail a')).stdout).toMatch(
      /^Tue 2026-12-01 18:00:00\+09:00 {2}2026-12-01 09:00:00Z {2}failed/,
    );
  });

  test('fails for a job that does not exist', async () => {
    expect(await session.run('executions tail nope')).toMatchObject({ exitCode: 5 });
  });
});

test('tail keeps the status of the latest 5,000 executions only', () => {
  const seen = new Map<string, Execution['status']>();
  for (let at = 0; at < 6_000; at += 100)
    changesSince(
      seen,
      Array.from({ length: 100 }, (_, index) => ({ ...EXECUTION, execId: `${at + index}` })),
    );
  expect(seen.size).toBe(5_000);
});

describe('the executions of all jobs', () => {
  const create = (id: string, flags = '') =>
    session.run(`jobs create ${id} --schedule '0 0 1 1 *' --http https://example.com/hook ${flags}`);
  const ran = (id: string, at: string) => putEnded(session.world, id, Date.parse(at));
  const jobsIn = (stdout: string) =>
    stdout.split('\n').flatMap((line) => /(?:^| )(job-\d)/.exec(line)?.[1] ?? []);

  beforeEach(async () => {
    await create('job-1', '--timezone Asia/Tokyo --tag n=1');
    await create('job-2');
    await ran('job-1', '2026-12-01T08:30:10Z');
    await ran('job-2', '2026-12-01T08:30:20Z');
    await session.world.clock.advance(60_000);
  });

  test('are listed with their jobs, and on their clocks', async () => {
    const { stdout, stderr } = await session.run('executions list');
    const [head, first, second] = stdout.split('\n');
    expect(head).toMatch(/^JOB +DUE +STATUS/);
    expect(first).toMatch(/^job-2 +2026-12-01 08:30:20Z +succeeded/);
    expect(second).toMatch(/^job-1 +Tue 2026-12-01 17:30:10\+09:00 +succeeded/);
    expect(stderr).toBe('');
    expect(jobsIn((await session.run('executions list --tag n=1')).stdout)).toEqual(['job-1']);
    expect(await session.json('executions list --limit 1')).toMatchObject([{ jobId: 'job-2' }]);
  });

  test('may be incomplete, and the list says why', async () => {
    await session.run('jobs create k --schedule @yearly --http https://example.com/hook --ordering-key k');
    expect((await session.run('executions list')).stderr).toBe(
      'The list may be incomplete: what waits for longer than an hour is listed once it begins.\n',
    );
  });

  test('are followed: new ones, and the end of those that were open', async () => {
    const all = (...items: Execution[]) =>
      new Response(JSON.stringify({ items, nextCursor: null, incompleteBecause: [] }));
    const running: Execution = {
      ...EXECUTION,
      jobId: 'job-1',
      status: 'running',
      reason: null,
      result: null,
    };
    const ended: Execution = { ...running, status: 'succeeded', attempts: [] };
    const job = { jobId: 'job-1', status: 'active', schedule: { type: 'cron', timezone: 'Asia/Tokyo' } };
    session.instead.push(all(running), new Response(JSON.stringify(job)));
    // By the second poll it has ended, and is not among the newest any more.
    session.instead.push(all(), new Response(JSON.stringify({ executions: [ended] })));
    const before = session.requests.length;
    const { stdout, exitCode } = await session.run('executions tail --tag n=1 --interval 1ms --once');
    expect(exitCode).toBe(0);
    const [first, second] = stdout.split('\n');
    expect(first).toMatch(/^Tue 2026-12-01 18:00:00\+09:00 {2}2026-12-01 09:00:00Z {2}job-1 {2}running/);
    expect(second).toMatch(/job-1 {2}succeeded/);
    const requests = session.requests.slice(before).map((request) => request.replace(/\?.*/, ''));
    expect(requests).toEqual([
      'GET /v1/executions',
      'GET /v1/jobs/job-1',
      'GET /v1/executions',
      'POST /v1/executions/lookup',
    ]);
  });

  test.each([
    ['executions list job-1 --tag n=1', 'leave the jobId out'],
    ['executions tail job-1 --prefix job', 'leave the jobId out'],
    ['executions list --order asc', '--order is for the executions of one job'],
  ])('%s is rejected', async (args, message) => {
    const { exitCode, stderr } = await session.run(args);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(message);
  });
});
