import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../lambdas/core/clock/clock';
import { execIdOfOccurrence } from '../../../../lambdas/core/contracts/tables';
import { ApiWorld, paths } from '../world';

const CAUSE = 'failed/fatal/-/-/-';
const TOMORROW = '2026-12-02T08:30:00.000Z';

/** An execution of a job that failed now, or some time ago. */
async function failed(world: ApiWorld, jobId: string, { user = 'alice', agoMs = 0 } = {}): Promise<void> {
  const dueAtMs = world.clock.nowMs() - agoMs;
  const ref = { jobKey: world.jobKey(jobId, user), execId: execIdOfOccurrence(dueAtMs) };
  await world.deps.executions.claim({
    ...ref,
    attempt: 1,
    claimId: 'claim',
    trigger: 'schedule',
    dueAtMs,
    nowMs: dueAtMs,
  });
  const held = { ...ref, claimId: 'claim', fence: 1, attempt: 1 };
  const expiresAtSec = Math.floor((dueAtMs + 30 * DAY_MS) / 1_000);
  await world.deps.ends.finish(
    held,
    { status: 'failed', reason: 'fatal', finishedAtMs: dueAtMs, expiresAtSec },
    [],
  );
}

const causeOf = async (world: ApiWorld, query = '') => {
  const { body } = await world.call('GET /v1/failures', {}, undefined, {
    query: `group=fingerprint${query}`,
  });
  return body.groups[0];
};
const fingerprintIn = async (world: ApiWorld): Promise<string> => (await causeOf(world)).fingerprint;
const acknowledge = (world: ApiWorld, body: object, user = 'alice') =>
  world.call('PUT /v1/failures/acks', {}, body, { user });
const remove = (world: ApiWorld, fingerprint: string, user = 'alice') =>
  world.call('DELETE /v1/failures/acks', {}, undefined, {
    query: `fingerprint=${encodeURIComponent(fingerprint)}`,
    user,
  });

describe('an acknowledgement of a cause', () => {
  it('is shown with the cause and in the list, and all of it is on record', async () => {
    const world = new ApiWorld();
    await failed(world, 'a', { agoMs: HOUR_MS });
    await failed(world, 'b', { agoMs: MINUTE_MS });
    const fingerprint = await fingerprintIn(world);
    const ack = {
      fingerprint,
      note: 'they know',
      at: '2026-12-01T08:30:00.000Z',
      until: TOMORROW,
      by: { sub: 'alice', name: null, via: 'token' },
      jobs: 2,
    };
    const first = await acknowledge(world, { fingerprint, note: 'they know', until: TOMORROW });
    expect([first.status, first.body]).toEqual([201, ack]);
    expect(await causeOf(world)).toMatchObject({ ack, first: { jobId: 'a' }, latest: { jobId: 'b' } });
    const again = await acknowledge(world, { fingerprint, until: '2026-12-03T08:30:00.000Z' });
    expect([again.status, again.body.note]).toEqual([200, null]);
    const { body } = await world.call('GET /v1/failures/acks');
    expect(body).toEqual({ items: [again.body], nextCursor: null });
    expect((await remove(world, fingerprint)).status).toBe(204);
    expect((await causeOf(world)).ack).toBeNull();
    const { body: audit } = await world.call('GET /v1/audit');
    expect(audit.items.map(({ what }: { what: string }) => what).sort()).toEqual([
      'failure.ack-removed',
      'failure.acknowledged',
      'failure.acknowledged',
    ]);
    expect(audit.items[0].resource).toBe(fingerprint);
  });

  it('ends when its time is over', async () => {
    const world = new ApiWorld();
    await failed(world, 'a');
    await acknowledge(world, { fingerprint: await fingerprintIn(world), until: TOMORROW });
    await world.clock.advance(DAY_MS - 1);
    expect((await causeOf(world)).ack).not.toBeNull();
    await world.clock.advance(1);
    expect((await causeOf(world)).ack).toBeNull();
    expect((await world.call('GET /v1/failures/acks')).body.items).toEqual([]);
  });

  it('goes on while its jobs fail, and ends when another job fails so', async () => {
    const world = new ApiWorld();
    await failed(world, 'a');
    const fingerprint = await fingerprintIn(world);
    await acknowledge(world, { fingerprint, until: TOMORROW });
    await world.clock.advance(HOUR_MS);
    await failed(world, 'a');
    expect((await causeOf(world)).ack).not.toBeNull();
    await failed(world, 'b');
    expect((await causeOf(world)).ack).toBeNull();
    expect((await causeOf(world, '&to=2026-12-01T09:00:00Z')).ack).not.toBeNull(); // nothing of b is in it
    await acknowledge(world, { fingerprint, until: TOMORROW });
    expect((await causeOf(world)).ack).toMatchObject({ jobs: 2 });
  });

  it('does not end by what it has not seen of a longer range', async () => {
    const world = new ApiWorld();
    await failed(world, 'old', { agoMs: 9 * DAY_MS });
    await failed(world, 'a');
    await acknowledge(world, { fingerprint: await fingerprintIn(world), until: TOMORROW });
    const cause = await causeOf(world, '&from=2026-11-10T00:00:00Z');
    expect(cause).toMatchObject({ jobs: 2, ack: { jobs: 1 } });
  });

  it.each([
    ['2026-12-01T08:30:00.000Z', 'now'],
    ['2026-12-31T08:30:00.001Z', 'more than 30 days ahead'],
  ])('cannot end at %s, %s', async (until) => {
    const world = new ApiWorld();
    await failed(world, 'a');
    const answer = await acknowledge(world, { fingerprint: await fingerprintIn(world), until });
    expect([answer.status, paths(answer)]).toEqual([400, ['until']]);
  });

  it('is 404 for a cause that the last week does not have', async () => {
    const world = new ApiWorld();
    await failed(world, 'a', { agoMs: 8 * DAY_MS });
    const fingerprint = (await causeOf(world, '&from=2026-11-10T00:00:00Z')).fingerprint;
    expect((await acknowledge(world, { fingerprint, until: TOMORROW })).status).toBe(404);
    expect((await acknowledge(world, { fingerprint: CAUSE, until: TOMORROW })).status).toBe(404);
    expect((await remove(world, fingerprint)).status).toBe(404);
  });

  it('is that of its project alone', async () => {
    const world = new ApiWorld();
    await failed(world, 'a');
    const fingerprint = await fingerprintIn(world);
    await acknowledge(world, { fingerprint, until: TOMORROW });
    expect((await acknowledge(world, { fingerprint, until: TOMORROW }, 'bob')).status).toBe(404);
    expect((await remove(world, fingerprint, 'bob')).status).toBe(404);
    expect((await causeOf(world)).ack).not.toBeNull();
  });

  it('is refused for more than 500 jobs, and is one of at most 500', async () => {
    const world = new ApiWorld();
    for (let index = 0; index < 501; index++) await failed(world, `j${index}`);
    const fingerprint = await fingerprintIn(world);
    const many = await acknowledge(world, { fingerprint, until: TOMORROW });
    expect([many.status, many.body.detail]).toEqual([409, expect.stringContaining('501 jobs')]);

    const full = new ApiWorld();
    await failed(full, 'a');
    const list = full.deps.failureAcks.list.bind(full.deps.failureAcks);
    const other = { project: 'alice', atMs: 0, by: { sub: 'alice', name: null, via: 'token' } as const };
    full.deps.failureAcks.list = async (project) => [
      ...(await list(project)),
      ...Array.from({ length: 500 }, (_, at) => ({
        ...other,
        fingerprint: `${CAUSE}/${at}`,
        untilMs: full.clock.nowMs() + DAY_MS,
        jobIds: ['a'],
        expiresAtSec: 0,
      })),
    ];
    const refused = await acknowledge(full, { fingerprint: await fingerprintIn(full), until: TOMORROW });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('at most 500')]);
  });
});
