import fc from 'fast-check';

import { decodedKey } from '../../../../client/deliveries/check-delivery';
import { deliveryOf } from '../../../../lambdas/core/delivery/delivery';
import { PROBLEM_KINDS } from '../../../../lambdas/core/http/problem-kinds';
import { aJob, anExecution, T0_MS } from '../../../support/factories';
import { ApiWorld } from '../world';

const RUN = 'POST /v1/jobs/{jobId}/run';

async function withJob(job: object = {}): Promise<ApiWorld> {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', schedule: { type: 'none' }, ...job });
  return world;
}

describe('POST /v1/jobs/{jobId}/run, at a later time', () => {
  it.each([
    [{ at: '2026-12-02T08:30:00Z' }, '2026-12-02T08:30:00.000Z'],
    [{ at: '2026-11-30T08:30:00Z' }, '2026-12-01T08:30:00.000Z'],
    [{ delay: '400d' }, '2028-01-05T08:30:00.000Z'],
  ])('%j is due at %s', async (body, dueAt) => {
    const world = await withJob();
    expect(await world.post('a', 'run', body)).toMatchObject({ status: 202, body: { dueAt } });
  });

  it.each([
    [{ at: '2028-01-05T08:30:01Z' }, 'at'],
    [{ at: 'tomorrow' }, 'at'],
    [{ at: '2026-12-02T08:30:00Z', delay: '1m' }, 'delay'],
    [{ delay: '401d' }, 'delay'],
    [{ onExisting: 'keep' }, 'onExisting'],
    [{ keyTtl: '1h' }, 'keyTtl'],
    [{ key: 'k', keyTtl: '31d' }, 'keyTtl'],
    [{ key: '' }, 'key'],
    [{ key: 'k'.repeat(129) }, 'key'],
    [{ key: '😀'.repeat(129) }, 'key'],
    [{ key: 7 }, 'key'],
    [{ key: null }, 'key'],
    [{ key: 'k', keyTtl: '0s' }, 'keyTtl'],
    [{ key: 'k', onExisting: 'skip' }, 'onExisting'],
    [{ tags: { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' } }, 'tags'],
  ])('%j is refused, and the answer names the field', async (body, path) => {
    const world = await withJob();
    const { status, body: problem } = await world.post('a', 'run', body);
    expect(status).toBe(400);
    expect(problem.errors.map((error: { path: string }) => error.path)).toContain(path);
    expect(world.entries).toEqual([]);
  });

  it('is refused if the row of its job has expired by then, and writes nothing', async () => {
    const { retentionDays } = new ApiWorld().deps;
    const world = await withJob({ schedule: { type: 'delay', delay: '1m' } });
    const [kept, late] = [`${retentionDays}d`, `${retentionDays + 1}d`];
    const { expiresAtSec } = (await world.jobRow('a'))!;
    const { body } = await world.post('a', 'run', { delay: kept, key: 'k' });
    expect(Date.parse(body.dueAt)).toBeLessThan(expiresAtSec! * 1_000);
    const rows = JSON.stringify(world.entries);
    for (const how of [{}, { key: 'other' }, { key: 'k', onExisting: 'replace' }]) {
      const { status, body: problem } = await world.post('a', 'run', { delay: late, ...how });
      expect(status).toBe(400);
      expect(problem.errors).toMatchObject([{ path: 'delay' }]);
    }
    expect((await world.post('a', 'run', { delay: late, key: 'k' })).status).toBe(200);
    expect(JSON.stringify(world.entries)).toBe(rows);
  });

  it('counts as a change, once, and an answer without a write counts as none', async () => {
    const world = await withJob();
    const charged: string[] = [];
    const { chargeRate } = world.deps.quotas;
    world.deps.quotas.chargeRate = async (project, rate, count) => {
      charged.push(rate);
      return chargeRate(project, rate, count);
    };
    const asked = async (body: object) => {
      charged.length = 0;
      const { status } = await world.post('a', 'run', body);
      return [status, ...charged.filter((rate) => rate !== 'requests')];
    };
    expect(await asked({ delay: '1m' })).toEqual([202, 'changes']);
    expect(await asked({ delay: '1m', key: 'k' })).toEqual([202, 'changes']);
    expect(await asked({ delay: '1m', key: 'k' })).toEqual([200]);
    expect(await asked({ delay: '2m', key: 'k', onExisting: 'replace' })).toEqual([200, 'changes']);
    expect(await asked({ key: 'now' })).toEqual([202, 'runs']);
    expect(await asked({})).toEqual([202, 'runs']);
  });

  it('is sent with its own priority', async () => {
    const world = await withJob({ priority: 'low' });
    await world.post('a', 'run', { priority: 'high' });
    expect(world.queue.messages).toMatchObject([{ priority: 'high' }]);
  });
});

/** What is easily taken for one another, or for a part of something else. */
const ODD = [
  ...['k', 'K', 'k ', ' k', 'a.b', 'a', 'a/b', '../a', 'a#b', 'a%2Fb', 'a?b=c', '%', '%zz', '__proto__'],
  ...['é', 'e\u0301', '\n', '\r\n', '\t', '\0', '\u202e', '\u2028', '\ufeff', '"', '\\', '日本', '😀'],
];
const anyKey = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 128 }),
  fc.constantFrom('k', '😀', 'é').map((character) => character.repeat(128)),
);

describe('any text of 1 to 128 characters', () => {
  it('is the key of one run: it finds it, cancels it and reaches the target, and is that of no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyKey, { minLength: 2, maxLength: 3 }), async (keys) => {
        const world = await withJob();
        const ids: unknown[] = [];
        for (const key of keys) {
          const asked = await world.post('a', 'run', { delay: '1h', key });
          expect(asked).toMatchObject({ status: 202, body: { key, created: true } });
          const again = await world.post('a', 'run', { delay: '2h', key, payload: 'other' });
          expect(again).toMatchObject({
            status: 200,
            body: { execId: asked.body.execId as unknown, created: false },
          });
          ids.push(asked.body.execId);
        }
        expect(new Set(ids).size).toBe(keys.length);
        const [key = '', ...others] = keys;
        const params = { jobId: 'a' };
        const cancel = () => world.call('POST /v1/jobs/{jobId}/runs/cancel', params, { key });
        expect((await cancel()).body).toEqual({ outcome: 'cancelled', execId: ids[0] });
        const query = (of: string) => `key=${encodeURIComponent(of)}`;
        for (const [at, of] of others.entries()) {
          const { body } = await world.call('GET /v1/jobs/{jobId}/executions', params, undefined, {
            query: query(of),
          });
          expect(body.items).toMatchObject([{ execId: ids[at + 1], key: of, status: 'queued' }]);
        }
        const sent = { nowMs: T0_MS, dueAtMs: T0_MS, trace: { traceparent: '00-1-2-00' } };
        const { headers } = deliveryOf(anExecution({ key }), aJob(), sent);
        expect(headers['quarterjack-key']).toMatch(/^[!-~]+$/);
        expect(decodedKey(headers['quarterjack-key']!)).toBe(key);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a key of a run', () => {
  it('finds its run in the list, also among others', async () => {
    const world = await withJob();
    await world.post('a', 'run', { delay: '1m' });
    const { body } = await world.post('a', 'run', { delay: '1h', key: 'k / 1' });
    const list = (query: string) =>
      world.call('GET /v1/jobs/{jobId}/executions', { jobId: 'a' }, undefined, { query });
    const { created: _, ...run } = body;
    expect((await list('key=k%20%2F%201')).body).toEqual({ items: [run], nextCursor: null });
    expect((await list('key=other')).body).toEqual({ items: [], nextCursor: null });
  });

  it('is 409 with its own type once its run has started', async () => {
    const world = await withJob();
    const { body } = await world.post('a', 'run', { key: 'k' });
    const run = { jobKey: world.jobKey('a'), execId: body.execId as string };
    const request = { ...run, trigger: 'manual' as const, dueAtMs: 0, attempt: 1, claimId: 'c' };
    await world.deps.executions.claim({ ...request, nowMs: world.clock.nowMs() });
    const answer = await world.post('a', 'run', { key: 'k', onExisting: 'replace' });
    expect(answer).toMatchObject({ status: 409, body: { title: PROBLEM_KINDS['run-started'].title } });
    expect(answer.body.type).toMatch(/\/run-started$/);
  });

  it('is of one run, also if a request for it comes between the two writes of a retry', async () => {
    const world = await withJob();
    const { body } = await world.post('a', 'run', { delay: '1m', key: 'k' });
    await world.call('POST /v1/jobs/{jobId}/runs/cancel', { jobId: 'a' }, { key: 'k' });
    const { executions } = world.deps;
    const { userRetry } = executions;
    executions.userRetry = async (...args) => {
      executions.userRetry = userRetry;
      expect((await world.call(RUN, { jobId: 'a' }, { delay: '1m', key: 'k' })).status).toBe(202);
      return userRetry(...args);
    };
    const params = { jobId: 'a', execId: body.execId as string };
    const retried = await world.call('POST /v1/jobs/{jobId}/executions/{execId}/retry', params);
    expect(retried.status).toBe(409);
    expect(await executions.get({ jobKey: world.jobKey('a'), execId: params.execId })).toMatchObject({
      status: 'cancelled',
    });
  });
});
