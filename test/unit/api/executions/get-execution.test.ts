import { ApiWorld } from '../world';

const one = (world: ApiWorld, execId: string, jobId = 'a') =>
  world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId, execId });

/** Acts right before the next read of a job, once. */
function beforeJobRead({ deps: { jobs } }: ApiWorld, act: () => Promise<unknown>): void {
  const { get } = jobs;
  jobs.get = async (ref) => {
    jobs.get = get;
    await act();
    return get(ref);
  };
}

describe('GET /v1/jobs/{jobId}/executions/{execId}', () => {
  it('shows an execution with its attempts', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const execId = '20261201T083000.000Z';
    await world.claim('a', execId);
    const nowMs = world.clock.nowMs();
    await world.deps.ends.finish(
      { jobKey: world.jobKey('a'), execId, claimId: 'claim-1', fence: 1, attempt: 1 },
      {
        status: 'failed',
        reason: 'fatal',
        result: { statusCode: 404, body: 'no' },
        finishedAtMs: nowMs + 9,
        expiresAtSec: 2e9,
      },
      [
        {
          attempt: 1,
          fence: 1,
          startedAtMs: nowMs,
          finishedAtMs: nowMs + 9,
          outcome: 'fatal',
          target: 0,
          statusCode: 404,
        },
      ],
    );
    expect((await one(world, execId)).body).toEqual({
      jobId: 'a',
      execId,
      trigger: 'schedule',
      dueAt: '2026-12-01T08:30:00.000Z',
      status: 'failed',
      reason: 'fatal',
      skipped: null,
      latenessMs: 0,
      startedAt: '2026-12-01T08:30:00.000Z',
      finishedAt: '2026-12-01T08:30:00.009Z',
      heartbeatAt: '2026-12-01T08:30:00.000Z',
      nextAttemptAt: null,
      attempts: [
        {
          attempt: 1,
          fence: 1,
          startedAt: '2026-12-01T08:30:00.000Z',
          finishedAt: '2026-12-01T08:30:00.009Z',
          outcome: 'fatal',
          target: 0,
          statusCode: 404,
          error: null,
        },
      ],
      targets: [{ index: 0, status: 'failed' }],
      result: { statusCode: 404, body: 'no' },
      fingerprint: expect.stringMatching(/^failed\/fatal\/status\/404\/-\/[0-9a-f]{8}$/) as string,
      excerpt: 'no',
      by: null,
      trace: expect.objectContaining({ sampled: false, joined: false }) as object,
    });
  });

  it('shows planned executions without a row: the next one, and those due within the last hour', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '10m' } });
    expect((await one(world, '20261201T084000.000Z')).body).toMatchObject({
      status: 'scheduled',
      trigger: 'schedule',
    });
    expect((await one(world, '20261201T085000.000Z')).status).toBe(404); // not the next one
    expect((await one(world, '20261201T083000.000Z')).status).toBe(404); // before the job was made
    await world.clock.advance(70 * 60_000);
    expect((await one(world, '20261201T090000.000Z')).body).toMatchObject({ status: 'queued' });
    expect((await one(world, '20261201T084000.000Z')).status).toBe(404); // more than an hour ago
    expect((await one(world, '20261201T090000.001Z')).status).toBe(404);
    await world.post('a', 'pause');
    expect((await one(world, '20261201T095000.000Z')).status).toBe(404);
  });

  it.each(['x', '20261201T083000.000Z-', '20261301T083000.000Z', '#run#a', '20261201T083000.000Z-ABC'])(
    'answers 404 for %j',
    async (execId) => {
      const world = new ApiWorld();
      await world.create({ jobId: 'a' });
      expect((await one(world, execId)).status).toBe(404);
    },
  );

  it('shows the row of an execution that is claimed during the request', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.clock.advance(30 * 60_000);
    beforeJobRead(world, () => world.claim('a', '20261201T090000.000Z'));
    expect(await one(world, '20261201T090000.000Z')).toMatchObject({
      status: 200,
      body: { status: 'running' },
    });
  });
});

test('an execution that is claimed during the request is found, even if its job is paused right after', async () => {
  const world = new ApiWorld();
  await world.create({ jobId: 'a' });
  await world.clock.advance(30 * 60_000);
  beforeJobRead(world, async () => {
    await world.claim('a', '20261201T090000.000Z');
    await world.post('a', 'pause');
  });
  expect(await one(world, '20261201T090000.000Z')).toMatchObject({
    status: 200,
    body: { status: 'running' },
  });
});
