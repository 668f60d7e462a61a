import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { dynamoUsageStore } from '../../../../lambdas/core/store/dynamo/dynamo-usage-store';
import { noQuotas } from '../../../support/no-quotas';
import { putSkipped } from '../ended-row';
import { jobIdAt } from '../lists';
import { ApiWorld, paths } from '../world';
import { allPages, bulk, failed, worldWithCopies } from './bulk-calls';

const RETRY = { action: 'retry', all: true };
const HOUR_MS = 3_600_000;
const HTTP = { statusCode: 503, error: 'target answered 503', host: 'billing.example.com' };

/** Records the order in which retries are written. */
function retriesOf(world: ApiWorld): string[] {
  const order: string[] = [];
  const { userRetry } = world.deps.executions;
  world.deps.executions.userRetry = async (seen, retry, options) => {
    order.push(`${seen.jobKey.split('/')[1]} ${seen.execId}`);
    return userRetry(seen, retry, options);
  };
  return order;
}

describe('a bulk that retries', () => {
  it('retries failures of all jobs, oldest first', async () => {
    const world = new ApiWorld();
    for (const jobId of ['a', 'b']) await world.create({ jobId, orderingKey: 'one' });
    const oldest = await failed(world, 'b', 3 * HOUR_MS);
    const middle = await failed(world, 'a', 2 * HOUR_MS);
    const newest = await failed(world, 'b', HOUR_MS);
    const order = retriesOf(world);
    expect((await bulk(world, RETRY)).body).toMatchObject({ matched: 3, done: 3, nextCursor: null });
    expect(order).toEqual([`b ${oldest}`, `a ${middle}`, `b ${newest}`]);
  });

  it('takes small pages, which a slow bulk asks for with pauses between them', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const all = [3, 2, 1].map((hours) => failed(world, 'a', hours * HOUR_MS));
    const execIds = await Promise.all(all);
    const order = retriesOf(world);
    const first = (await bulk(world, { ...RETRY, limit: 1 })).body;
    expect([first.done, order]).toEqual([1, [`a ${execIds[0]}`]]);
    const second = (await bulk(world, { ...RETRY, limit: 2, cursor: first.nextCursor })).body;
    expect([second.done, order]).toEqual([2, execIds.map((execId) => `a ${execId}`)]);
    expect(paths(await bulk(world, { ...RETRY, limit: 101 }))).toEqual(['limit']);
  });

  it('begins the next of an ordering key only when the retry before it is written', async () => {
    const world = new ApiWorld();
    for (const jobId of ['a', 'b']) await world.create({ jobId, orderingKey: 'one' });
    await world.create({ jobId: 'free' });
    await failed(world, 'a', 3 * HOUR_MS);
    await failed(world, 'b', 2 * HOUR_MS);
    await failed(world, 'free', HOUR_MS);
    const { userRetry } = world.deps.executions;
    const log: string[] = [];
    world.deps.executions.userRetry = async (seen, retry, options) => {
      const jobId = seen.jobKey.split('/')[1]!;
      log.push(`${jobId} begins`);
      const done = await userRetry(seen, retry, options);
      for (let step = 0; step < 50; step++) await Promise.resolve();
      log.push(`${jobId} ends`);
      return done;
    };
    await bulk(world, RETRY);
    expect(log.filter((line) => !line.startsWith('free'))).toEqual([
      'a begins',
      'a ends',
      'b begins',
      'b ends',
    ]);
    expect(log.indexOf('free begins')).toBeLessThan(log.indexOf('b begins'));
  });

  it('takes what failed for one cause, of jobs with a tag, in a window', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', tags: { team: 'billing' } });
    await world.create({ jobId: 'b' });
    const execId = await failed(world, 'a', HOUR_MS, { record: HTTP });
    await failed(world, 'a', 2 * HOUR_MS, { record: { ...HTTP, host: 'other.example.com' } });
    await failed(world, 'a', 30 * HOUR_MS, { record: HTTP });
    await failed(world, 'b', HOUR_MS, { record: HTTP });
    await failed(world, 'deleted', HOUR_MS, { record: HTTP });
    const filter = {
      tag: ['team:billing'],
      fingerprint: 'failed/fatal/status/503/billing.example.com',
      from: '2026-11-30T12:00:00Z',
    };
    const order = retriesOf(world);
    expect((await bulk(world, { action: 'retry', filter, dryRun: true })).body.matched).toBe(1);
    expect((await bulk(world, { action: 'retry', filter })).body.done).toBe(1);
    expect(order).toEqual([`a ${execId}`]);
    const { body } = await bulk(world, { action: 'retry', filter: { host: HTTP.host } });
    expect(body).toMatchObject({ matched: 2, done: 2 });
  });

  it('leaves out what failed after it began, also if that page is sent again', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const execId = await failed(world, 'a', HOUR_MS);
    const options = { headers: { 'idempotency-key': 'again' } };
    const { listFailures } = world.deps.executions;
    const toMs = world.clock.nowMs();
    const before = await listFailures('alice', { fromMs: toMs - 2 * HOUR_MS, toMs, limit: 10 });
    expect((await bulk(world, RETRY, options)).body.done).toBe(1);
    const waiting = await bulk(world, RETRY, options);
    expect(waiting.body).toMatchObject({ matched: 0, nextCursor: null });
    // It fails once more.
    await world.clock.advance(1_000);
    const ref = { jobKey: world.jobKey('a'), execId };
    const nowMs = world.clock.nowMs();
    const dueAtMs = nowMs - HOUR_MS - 1_000;
    const claim = { attempt: 1, claimId: 'claim-2', trigger: 'schedule', dueAtMs, nowMs } as const;
    const claimed = await world.deps.executions.claim({ ...ref, ...claim, userRetries: 1 });
    expect(claimed.outcome).toBe('claimed');
    const end = { status: 'failed', reason: 'fatal', finishedAtMs: nowMs, expiresAtSec: 2e9 } as const;
    await world.deps.ends.finish({ ...ref, claimId: 'claim-2', fence: 2, attempt: 1 }, end, []);
    expect((await bulk(world, RETRY, options)).body).toMatchObject({ matched: 0 });
    // The index may show the failure of before.
    world.deps.executions.listFailures = () => Promise.resolve(before);
    expect((await bulk(world, RETRY, options)).body).toMatchObject({ done: 0, unchanged: 1 });
    world.deps.executions.listFailures = listFailures;
    expect((await bulk(world, RETRY)).body).toMatchObject({ matched: 1, done: 1 });
  });

  it('does not retry again by an index that is behind', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await failed(world, 'a', HOUR_MS);
    const { listFailures } = world.deps.executions;
    const window = { fromMs: 0, toMs: world.clock.nowMs(), limit: 10 };
    const stale = await listFailures('alice', { ...window, fromMs: world.clock.nowMs() - 2 * HOUR_MS });
    world.deps.executions.listFailures = () => Promise.resolve(stale);
    const order = retriesOf(world);
    const both = await Promise.all([bulk(world, RETRY), bulk(world, RETRY)]);
    expect(both.map(({ body }) => body.failed as unknown)).toEqual([[], []]);
    expect((await bulk(world, RETRY)).body).toMatchObject({ done: 0, unchanged: 1 });
    expect(both.reduce((sum, { body }) => sum + (body.done as number), 0)).toBe(1);
    expect(order.length).toBeGreaterThan(0);
  });

  it('stops at a quota, says what is done, and goes on with the cursor', async () => {
    const world = await worldWithCopies(25);
    const usage = dynamoUsageStore({
      documents: world.dynamo,
      table: 'Jobs',
      clock: world.clock,
      random: world.random,
    });
    const limits = { ...noQuotas.quotaLimits, runsPerMinute: 12 };
    Object.assign(world.deps, { quotas: quotas(limits, { usage, clock: world.clock }) });
    for (let at = 0; at < 25; at++) await failed(world, jobIdAt(at), at * 60_000 + 10);
    const order = retriesOf(world);
    const first = await bulk(world, RETRY);
    expect(first).toMatchObject({
      status: 200,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) as string },
      body: { done: 12, failed: [], stoppedBy: { status: 429 }, nextCursor: expect.any(String) as string },
    });
    const body = { ...RETRY, cursor: first.body.nextCursor as string };
    expect(await bulk(world, body)).toMatchObject({ status: 429 });
    await world.clock.advance(60_000);
    const second = await bulk(world, body);
    expect(second.body).toMatchObject({ done: 12, stoppedBy: { status: 429 } });
    await world.clock.advance(60_000);
    const third = await bulk(world, { ...RETRY, cursor: second.body.nextCursor });
    expect(third.body).toMatchObject({ done: 1, nextCursor: null });
    expect(third.body).not.toHaveProperty('stoppedBy');
    expect(new Set(order).size).toBe(25);
    expect(order).toHaveLength(25);
  });

  it('retries skipped ones only on request, and lists ranges that cannot be', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const atMs = world.clock.nowMs() - HOUR_MS;
    await putSkipped(world, 'a', { fromMs: atMs, toMs: atMs, count: 1 });
    await putSkipped(world, 'a', { fromMs: atMs - 48 * HOUR_MS, toMs: atMs - 24 * HOUR_MS, count: 2 });
    expect((await bulk(world, RETRY)).body.matched).toBe(0);
    const { body } = await bulk(world, { action: 'retry', filter: { status: 'skipped' } });
    expect(body).toMatchObject({ matched: 2, done: 1, failed: [{ jobId: 'a', problem: { status: 409 } }] });
  });
});

describe('a bulk that cancels', () => {
  it('cancels what waits or runs, of the jobs that pass', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', tags: { team: 'billing' } });
    await world.create({ jobId: 'b' });
    for (const jobId of ['a', 'b']) await world.post(jobId, 'run');
    const run = (await world.post('a', 'run')).body.execId as string;
    expect((await world.claim('a', run, 'manual')).outcome).toBe('claimed');
    await failed(world, 'a', HOUR_MS);
    const body = { action: 'cancel', filter: { tag: ['team:billing'] } };
    expect((await bulk(world, { ...body, dryRun: true })).body.matched).toBe(2);
    expect((await bulk(world, body)).body).toMatchObject({
      matched: 2,
      done: 2,
      failed: [],
      nextCursor: null,
    });
    expect((await bulk(world, body)).body).toMatchObject({ matched: 0 });
    expect((await world.executions('a', 'status=cancelled')).body.items).toHaveLength(1);
    expect((await world.executions('b', 'status=queued')).body.items).toHaveLength(1);
    const running = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId: run });
    expect(running.body).toMatchObject({ status: 'running', by: { sub: 'alice' } });
  });

  it('goes through many executions of one job, page by page', async () => {
    const world = new ApiWorld();
    for (const jobId of ['a', 'b', 'c']) await world.create({ jobId });
    for (let at = 0; at < 120; at++) {
      await world.post('b', 'run');
      await world.clock.advance(1);
    }
    await world.post('c', 'run');
    const pages = await allPages(world, { action: 'cancel', all: true });
    expect(pages.map(({ body }) => body.done as number)).toEqual([100, 21]);
    expect((await world.executions('b', 'status=queued')).body.items).toEqual([]);
  });

  it('takes a window of due times', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'run');
    await world.clock.advance(5_000);
    await world.post('a', 'run');
    const to = new Date(world.clock.nowMs()).toISOString();
    expect((await bulk(world, { action: 'cancel', filter: { to } })).body.done).toBe(1);
    expect(paths(await bulk(world, { action: 'cancel', filter: { from: to, to } }))).toEqual(['filter.to']);
  });
});
