import { aTarget } from '../../../support/factories';
import { putEnded } from '../ended-row';
import { allPages, jobIdAt, jobIdsIn, listJobs, worldWithJobs } from '../lists';
import { ApiWorld, paths } from '../world';

const MINUTE_MS = 60_000;
const DUE_MS = Date.UTC(2026, 11, 1, 8, 30);

describe('GET /v1/jobs?fields=summary', () => {
  it('shows each job without payload, headers and policies, and how it last went', async () => {
    const world = new ApiWorld();
    await world.create({
      jobId: 'a',
      name: 'Report',
      payload: { secret: 1 },
      target: { type: 'http', url: 'https://example.com/hook', headers: { 'x-key': 'secret' } },
      tags: { team: 'billing' },
    });
    await world.clock.advance(DUE_MS + 2 * MINUTE_MS - world.clock.nowMs());
    await putEnded(world, 'a', DUE_MS + MINUTE_MS, { status: 'failed', reason: 'fatal' });
    const { body } = await listJobs(world, 'fields=summary');
    expect(body.items).toEqual([
      {
        jobId: 'a',
        name: 'Report',
        kind: 'plain',
        schedule: { type: 'cron', expression: '0 9 * * *' },
        targets: [{ type: 'http', address: 'https://example.com/hook' }],
        priority: 'medium',
        pool: 'default',
        tags: { team: 'billing' },
        status: 'active',
        generation: 1,
        createdAt: '2026-12-01T08:30:00.000Z',
        updatedAt: '2026-12-01T08:30:00.000Z',
        scheduleChangedAt: '2026-12-01T08:30:00.000Z',
        nextFireAt: '2026-12-01T09:00:00.000Z',
        lastExecution: {
          execId: '20261201T083100.000Z',
          trigger: 'schedule',
          status: 'failed',
          reason: 'fatal',
          dueAt: '2026-12-01T08:31:00.000Z',
          startedAt: '2026-12-01T08:31:00.020Z',
          finishedAt: '2026-12-01T08:31:00.520Z',
          latenessMs: 20,
        },
      },
    ]);
  });

  it('has as much history as was asked for, newest first', async () => {
    const world = await worldWithJobs(2);
    for (let minute = 1; minute <= 5; minute++) await putEnded(world, 'job-000', DUE_MS + minute * MINUTE_MS);
    await world.clock.advance(10 * MINUTE_MS);
    const { body } = await listJobs(world, 'fields=summary&history=3');
    const due = (items: { dueAt: string }[]) => items.map(({ dueAt }) => dueAt.slice(11, 16));
    expect(body.items.map(({ history }: { history: { dueAt: string }[] }) => due(history))).toEqual([
      ['08:35', '08:34', '08:33'],
      [],
    ]);
    expect(body.items[0].lastExecution).toEqual(body.items[0].history[0]);
    expect(body.items[1].lastExecution).toBeNull();
  });

  it('filters by the status of the newest execution, with whole jobs and with summaries', async () => {
    const world = await worldWithJobs(4);
    await putEnded(world, 'job-001', DUE_MS, { status: 'failed' });
    await putEnded(world, 'job-002', DUE_MS, { status: 'failed' });
    await putEnded(world, 'job-002', DUE_MS + MINUTE_MS);
    await world.clock.advance(2 * MINUTE_MS);
    expect(jobIdsIn(await listJobs(world, 'lastStatus=failed'))).toEqual(['job-001']);
    expect(jobIdsIn(await listJobs(world, 'lastStatus=succeeded&fields=summary'))).toEqual(['job-002']);
  });

  it('reads the executions of at most 500 jobs for one page', async () => {
    const world = await worldWithJobs(1);
    const job = (await world.jobRow(jobIdAt(0)))!;
    for (let at = 1; at < 620; at++) await world.deps.jobs.create({ ...job, jobId: jobIdAt(at) });
    await putEnded(world, jobIdAt(600), DUE_MS, { status: 'failed' });
    let reads = 0;
    const { list } = world.deps.executions;
    world.deps.executions.list = (jobKey, page) => {
      reads++;
      return list(jobKey, page);
    };
    const pages = await allPages((cursor) => listJobs(world, `lastStatus=failed${cursor}`));
    expect(pages.map(jobIdsIn)).toEqual([[], [jobIdAt(600)]]);
    expect(reads).toBe(620);
    expect(jobIdsIn(await listJobs(world, 'fields=summary&limit=500'))).toHaveLength(500);
  });

  it.each([
    ['limit=101', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=501&fields=summary', 'limit', 'must be a whole number from 1 to 500'],
    ['limit=51&fields=summary&history=1', 'limit', 'must be a whole number from 1 to 50'],
    ['history=1', 'history', 'needs fields=summary'],
    ['history=21&fields=summary', 'history', 'must be a whole number from 0 to 20'],
    ['lastStatus=scheduled', 'lastStatus', 'must be one of queued, running'],
  ])('rejects %s', async (query, path, message) => {
    const answered = await listJobs(new ApiWorld(), query);
    expect(answered.status).toBe(400);
    expect(paths(answered)).toEqual([path]);
    expect(answered.body.errors[0].message).toContain(message);
  });
});

describe('filters of jobs', () => {
  const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:allowed';
  const targets = [
    aTarget({ url: 'https://Api.example.com/a' }),
    aTarget({ url: 'https://other.example.com/b' }),
    { type: 'lambda', functionArn: ARN } as const,
  ];

  test.each([
    ['target=lambda', ['job-002']],
    ['target=http', ['job-000', 'job-001']],
    ['target=API.example.com', ['job-000']],
    ['target=example.com', []],
    ['target=https://other.example.com/', ['job-001']],
    [`target=${ARN.slice(0, 30)}`, ['job-002']],
    ['kind=plain', ['job-000', 'job-001', 'job-002']],
    ['kind=workflow', []],
    ['pool=default&q=job-00', ['job-000', 'job-001', 'job-002']],
    ['pool=batch', []],
  ])('%s', async (query, expected) => {
    const world = await worldWithJobs(1);
    const job = (await world.jobRow(jobIdAt(0)))!;
    await world.remove(jobIdAt(0));
    for (const [at, target] of targets.entries())
      await world.deps.jobs.create({ ...job, jobId: jobIdAt(at), target });
    expect(jobIdsIn(await listJobs(world, query))).toEqual(expected);
  });
});
