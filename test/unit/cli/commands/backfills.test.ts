import { endExecution } from '../../../../lambdas/core/ending/end-execution';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(async () => {
  session = new Session();
  await session.run(
    "jobs create etl --schedule '0 2 * * *' --timezone Europe/Berlin --http https://example.com/",
  );
});
afterEach(() => session.end());

const RANGE = '--from 2026-10-24 --to 2026-10-27';

/** Ends the newest backfill as the executor would. */
async function endBackfill(execId: string, status: 'succeeded' | 'failed'): Promise<void> {
  const { executions } = session.world.deps;
  const row = (await executions.get({ jobKey: session.world.jobKey('etl'), execId }))!;
  const end = { status, ...(status === 'failed' && { reason: 'task-failed' as const }) };
  await endExecution(
    { execution: row, end, precondition: { kind: 'waiting' }, job: undefined, by: 'other' },
    session.world.deps,
  );
}

test('dates are midnights in the zone of the job, on both sides of a clock change', async () => {
  const plan = await session.json(`backfill etl ${RANGE} --dry-run`);
  expect(plan).toMatchObject({
    count: 3,
    first: '2026-10-24T00:00:00.000Z',
    last: '2026-10-26T01:00:00.000Z',
  });
  const { stdout } = await session.run(`backfill etl ${RANGE} --dry-run`);
  expect(stdout).toMatch(/^dates +3\nfirst +Sat 2026-10-24 02:00:00\+02:00 {2}2026-10-24 00:00:00Z\n/);
  expect(stdout).toMatch(
    /last +Mon 2026-10-26 02:00:00\+01:00 .*\nat once +1\nestimate +\d+ writes, \$0\.0000\d+\n$/,
  );
  const instants = '--from 2026-10-24T02:00 --to 2026-10-25T03:00:00+01:00';
  expect(await session.json(`backfill etl ${instants} --dry-run`)).toMatchObject({ count: 2 });
});

test('fewer dates at once than were asked for are told, with the cause and the way out', async () => {
  const parallel = `backfill etl ${RANGE} --yes --parallel 3`;
  expect((await session.run(`${parallel} --dry-run`)).stderr).toBe('');
  await session.run('jobs edit etl --overlap queue');
  const { stdout, stderr } = await session.run(`${parallel} --dry-run`);
  expect(stdout).toMatch(/\nat once +1\n/);
  expect(stderr).toContain(
    'because the overlap policy of the job is not allow. With --overlap ignore, 3 run at once.',
  );
  expect((await session.run(`${parallel} --no-wait`)).stderr).toContain('One date runs at a time');
  const ignoring = await session.run(`${parallel} --overlap ignore --dry-run`);
  expect([ignoring.stderr, /\nat once +3\n/.test(ignoring.stdout)]).toEqual(['', true]);
});

test('a date that lies ahead is marked in a dry run', async () => {
  const { stdout } = await session.run('backfill etl --from 2026-12-01 --to 2026-12-04 --dry-run');
  expect(stdout).toMatch(/last .*\(lies ahead: it would run now, and again when due\)/);
});

test('what is no time is refused by the name of its flag', async () => {
  const { exitCode, stderr } = await session.run('backfill etl --from someday --to 2026-10-27');
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/--from is "someday"; expected a date such as 2026-11-01/);
});

test('the flags are sent, and the backfill is listed and shown', async () => {
  const flags =
    '--parallel 2 --all --order desc --on-failure stop --overlap ignore --priority high --no-wait';
  const started = await session.json(`backfill etl ${RANGE} --yes ${flags}`);
  expect(started).toMatchObject({
    parallel: 2,
    only: 'all',
    order: 'desc',
    onFailure: 'stop',
    overlap: 'ignore',
    priority: 'high',
  });
  const { execId } = started;
  const { stdout } = await session.run('backfills list etl');
  expect(stdout).toMatch(new RegExp(`\\n${execId} +queued +0/3 +2026-10-23 22:00:00Z`));
  const all = await session.run('backfills list --status queued');
  expect(all.stdout).toMatch(new RegExp(`^JOB +BACKFILL .*\\netl +${execId} +queued +0/3`));
  expect((await session.run('backfills list --status failed')).stdout).toBe('No backfills.\n');
  const shown = await session.run(`backfills show etl ${execId}`);
  expect(shown.stdout).toContain(
    'how       2 at once, newest first, all dates, stops at a failure, ignores the overlap policy\n',
  );
});

test('it follows the backfill to its end, whose failure is the exit code', async () => {
  let execId = '';
  session.beforeRequest = (_count, request) => {
    execId = /backfills\/(.+)$/.exec(request)?.[1] ?? execId;
  };
  const { get } = session.world.deps.executions;
  let polls = 0;
  session.world.deps.executions.get = async (ref) => {
    if (ref.execId.includes('-bf') && ++polls === 2) await endBackfill(ref.execId, 'failed');
    return get(ref);
  };
  const { exitCode, stdout, stderr } = await session.run(`backfill etl ${RANGE} --yes --interval 1ms`);
  expect(exitCode).toBe(8);
  expect(stderr).toContain(`Backfilling 3 dates of etl as ${execId} …\n`);
  expect(stderr).toContain(`To run what has failed again: quarterjack backfills retry etl ${execId}\n`);
  expect(stdout).toMatch(/status +failed\nreason +task-failed\n/);
});

test('Ctrl-C ends the watching alone, and says what was done and how to go on', async () => {
  session.beforeRequest = (_count, request) => {
    if (/^GET .*\/backfills\//.test(request)) session.interrupt();
  };
  const { exitCode, stdout, stderr } = await session.run(`backfill etl ${RANGE} --yes --interval 1ms`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  const [{ execId, status }] = await session.json('backfills list etl');
  expect(status).toBe('queued');
  expect(stderr).toContain('Stopped following.\n');
  expect(stderr).toContain(`To follow it: quarterjack backfills show etl ${execId} --wait\n`);
  expect(stderr).toContain(`To stop it: quarterjack backfills pause|cancel etl ${execId}\n`);
});

test('whatever is done to a backfill, its times are on the clocks of its job', async () => {
  const { execId } = await session.json(`backfill etl ${RANGE} --yes --no-wait`);
  for (const action of ['show', 'cancel', 'retry']) {
    const { stdout } = await session.run(`backfills ${action} etl ${execId}`);
    expect(stdout).toMatch(/\nfrom +\w{3} \S+ \S+\+0[12]:00 /);
    expect(stdout).not.toContain('+00:00');
  }
});

test('a backfill is cancelled and retried by the calls of its run', async () => {
  const { execId } = await session.json(`backfill etl ${RANGE} --yes --no-wait`);
  expect(await session.json(`backfills cancel etl ${execId}`)).toMatchObject({ status: 'cancelled' });
  expect(await session.json(`backfills retry etl ${execId}`)).toMatchObject({ status: 'retrying' });
  const { exitCode, stderr } = await session.run(`backfills pause etl ${execId}`);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('no such run') });
});
