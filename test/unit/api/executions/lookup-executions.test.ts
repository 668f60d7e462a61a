import { putEnded, putSkipped } from '../ended-row';
import { ApiWorld, paths } from '../world';

const MINUTE_MS = 60_000;
const DUE_MS = Date.UTC(2026, 11, 1, 8, 30);

const lookup = (world: ApiWorld, executions: unknown, user = 'alice') =>
  world.call('POST /v1/executions/lookup', {}, { executions }, { user });
const one = async (world: ApiWorld, jobId: string, execId: string) => {
  const { status, body } = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId, execId });
  return status === 200 ? body : null;
};

/** A job that fires each ten minutes, with a success, a failure and skips of which two are neighbours. */
async function worldWithHistory(): Promise<ApiWorld> {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', schedule: { type: 'cron', expression: '*/10 * * * *' } });
  await world.create({ jobId: 'paused', schedule: { type: 'cron', expression: '*/10 * * * *' } });
  await world.post('paused', 'pause');
  await putEnded(world, 'a', DUE_MS + 10 * MINUTE_MS);
  await putEnded(world, 'a', DUE_MS + 20 * MINUTE_MS, { status: 'failed', reason: 'fatal' });
  for (const minutes of [30, 40]) {
    const skippedMs = DUE_MS + minutes * MINUTE_MS;
    await putSkipped(world, 'a', { fromMs: skippedMs, toMs: skippedMs, count: 1 });
  }
  await world.clock.advance(65 * MINUTE_MS);
  return world;
}

describe('POST /v1/executions/lookup', () => {
  it('answers each as the request for that execution alone, in the order of the request', async () => {
    const world = await worldWithHistory();
    const asked = [
      { jobId: 'a', execId: '20261201T094000.000Z' }, // the next one
      { jobId: 'a', execId: '20261201T090000.000Z' }, // skipped, with a neighbour
      { jobId: 'none', execId: '20261201T084000.000Z' },
      { jobId: 'a', execId: '20261201T084000.000Z' },
      { jobId: 'a', execId: '20261201T092000.000Z' }, // waits, without a row
      { jobId: 'a', execId: '20261201T085000.000Z' },
      { jobId: 'a', execId: '20261201T095000.000Z' }, // later than the next one
      { jobId: 'paused', execId: '20261201T084000.000Z' }, // the range that a resume will write
      { jobId: 'paused', execId: '20261201T085000.000Z' }, // inside of it
      { jobId: 'a', execId: 'nonsense' },
      { jobId: 'a', execId: '20261201T084000.000Z' }, // a second time
    ];
    const { status, body } = await lookup(world, asked);
    expect(status).toBe(200);
    const alone = await Promise.all(asked.map(({ jobId, execId }) => one(world, jobId, execId)));
    expect(body).toEqual({ executions: alone });
    expect(body.executions.map((found: { status: string } | null) => found?.status ?? null)).toEqual([
      'scheduled',
      'skipped',
      null,
      'succeeded',
      'queued',
      'failed',
      null,
      'skipped',
      null,
      null,
      'succeeded',
    ]);
    expect(body.executions[1].skipped).toMatchObject({ count: 2 });
  });

  it('shows nothing of another project', async () => {
    const world = await worldWithHistory();
    const { body } = await lookup(world, [{ jobId: 'a', execId: '20261201T084000.000Z' }], 'bob');
    expect(body.executions).toEqual([null]);
  });

  it('answers 503, not null, if the store leaves keys unanswered', async () => {
    const world = await worldWithHistory();
    const { getMany } = world.deps.executions;
    world.deps.executions.getMany = async (refs, options) => ({
      ...(await getMany(refs, options)),
      unread: new Set(['x']),
    });
    expect((await lookup(world, [{ jobId: 'a', execId: '20261201T084000.000Z' }])).status).toBe(503);
  });

  it.each([
    [[], 'executions'],
    [Array.from({ length: 101 }, () => ({ jobId: 'a', execId: 'b' })), 'executions'],
    [[{ jobId: '#', execId: 'b' }], 'executions.0.jobId'],
    [[{ jobId: 'a' }], 'executions.0.execId'],
    ['a', 'executions'],
  ])('rejects a body that is not 1 to 100 executions', async (executions, path) => {
    const answered = await lookup(new ApiWorld(), executions);
    expect(answered.status).toBe(400);
    expect(paths(answered)).toEqual([path]);
  });
});
