import { setTimeout as sleep } from 'node:timers/promises';

import { apiCaller } from '../../support/api-caller';
import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

/** What the target saw, in the order it happened: `job begins`, `job ends`. */
const seen: string[] = [];
let run: RunningSystem;
let receiver: LoopbackServer;
let api: ReturnType<typeof apiCaller>;
let isBroken = true;
/** Long enough for the request that creates the jobs, also on a slow machine. */
const LEAD_MS = 8_000;

const dueAt = (jobId: string, atMs: number, more: object) => ({
  jobId,
  schedule: { type: 'at', at: new Date(atMs).toISOString() },
  target: { type: 'http', url: `${receiver.url}/hook` },
  ...more,
});

/** In one request: on a slow machine, the first ones of several would be due before the last is sent. */
async function create(...jobs: object[]): Promise<void> {
  const { body } = await api('POST', '/v1/jobs/batch', { jobs });
  const created = jobs.map(() => expect.objectContaining({ status: 201 }));
  expect(body.outcomes).toEqual(created);
}

/** Jobs that wait for one another: by an ordering key, and by a concurrency key. */
export function describeOrdering(given: () => RunningSystem): void {
  describe('jobs with a key', () => {
    beforeAll(async () => {
      receiver = await listenOnLoopback((request, response) => {
        const jobId = String(request.headers['quarterjack-job']);
        seen.push(`${jobId} begins`);
        request.resume();
        request.on('end', () => {
          void sleep(jobId === 'first' ? 1_500 : 50).then(() => {
            seen.push(`${jobId} ends`);
            response.writeHead(jobId === 'broken' && isBroken ? 400 : 200).end();
          });
        });
      });
      run = given();
      api = apiCaller(run.url, await run.token('alice'));
    });

    afterAll(async () => {
      receiver.stop();
    });

    test('jobs of one key run one after the other, in order of their due times, whatever their priority', async () => {
      const atMs = Date.now() + LEAD_MS;
      const orderingKey = 'customer/42';
      await create(
        dueAt('third', atMs + 400, { orderingKey, priority: 'highest' }),
        dueAt('second', atMs + 200, { orderingKey, priority: 'high' }),
        dueAt('first', atMs, { orderingKey, priority: 'lowest' }),
      );
      await eventually(
        () => seen,
        (lines) => lines.includes('third ends'),
      );
      expect(seen).toEqual([
        'first begins',
        'first ends',
        'second begins',
        'second ends',
        'third begins',
        'third ends',
      ]);
    });

    test('a failure that blocks holds up its key until it is retried', async () => {
      const key = encodeURIComponent('customer/43');
      const atMs = Date.now() + LEAD_MS;
      await create(
        dueAt('broken', atMs, { orderingKey: 'customer/43', onFailure: 'block' }),
        dueAt('behind', atMs + 100, { orderingKey: 'customer/43' }),
        dueAt('elsewhere', atMs + 200, { orderingKey: 'customer/44' }),
      );
      const state = await eventually(
        () => api('GET', `/v1/ordering-keys?orderingKey=${key}`),
        ({ body }) => body.blocked && body.waiting.length === 1 && seen.includes('elsewhere ends'),
      );
      expect(state.body).toMatchObject({
        holder: { jobId: 'broken', status: 'failed' },
        waiting: [{ jobId: 'behind' }],
      });
      expect(seen).not.toContain('behind begins');
      isBroken = false;
      const { execId } = state.body.holder;
      expect((await api('POST', `/v1/jobs/broken/executions/${execId}/retry`, {})).status).toBe(202);
      await eventually(
        () => seen,
        (lines) => lines.includes('behind ends'),
      );
      expect(seen.slice(seen.lastIndexOf('broken begins'))).toEqual([
        'broken begins',
        'broken ends',
        'behind begins',
        'behind ends',
      ]);
    });

    test('the rate of a concurrency key holds back what is due, says so, and lets it start once it is raised', async () => {
      const key = '/v1/concurrency-keys/mail';
      const body = (limit: number) => ({ limit: 5, rate: { limit, per: '1h' } });
      expect((await api('PUT', key, body(1))).status).toBe(201);
      const letter = { schedule: { type: 'delay', delay: '1s' }, concurrencyKey: 'mail' };
      for (const [jobId, isNext] of [
        ['letter-1', () => seen.includes('letter-1 ends')],
        ['letter-2', ({ waiting }: { waiting: unknown[] }) => waiting.length === 1],
      ] as const) {
        await create(dueAt(jobId, 0, letter));
        await eventually(
          () => api('GET', key),
          (state) => isNext(state.body),
        );
      }
      const { waiting, recentStarts } = (await api('GET', key)).body;
      expect(recentStarts).toBe(1);
      const why = await api('GET', `/v1/jobs/letter-2/explain?at=${waiting[0].dueAt}`);
      expect(why.body).toMatchObject({
        verdict: 'waits',
        sentence: expect.stringContaining('waits for the rate of its concurrency key mail'),
      });
      expect(seen).not.toContain('letter-2 begins');
      expect((await api('PUT', key, body(2))).status).toBe(200);
      await eventually(
        () => seen,
        (lines) => lines.includes('letter-2 ends'),
      );
      expect((await api('GET', key)).body).toMatchObject({ recentStarts: 2, waiting: [] });
    });
  });
}
