import { setTimeout as sleep } from 'node:timers/promises';

import { apiCaller } from '../support/api-caller';
import { eventually } from '../support/eventually';
import { type RunningSystem, startSystem } from '../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../support/loopback-server';

/** What the target saw, in the order it happened: `job begins`, `job ends`. */
const seen: string[] = [];
let run: RunningSystem;
let receiver: LoopbackServer;
let api: ReturnType<typeof apiCaller>;
let isBroken = true;

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
  run = await startSystem('--port', '0', '--ephemeral');
  api = apiCaller(run.url, await run.token('alice'));
});

afterAll(async () => {
  await run?.end();
  receiver.stop();
});

const create = (jobId: string, atMs: number, orderingKey: string, more: object = {}) =>
  api('POST', '/v1/jobs', {
    jobId,
    schedule: { type: 'at', at: new Date(atMs).toISOString() },
    target: {
      type: 'http',
      url: `${receiver.url}/hook`,
    },
    orderingKey,
    ...more,
  });

test('jobs of one key run one after the other, in order of their due times, whatever their priority', async () => {
  const atMs = Date.now() + 4_000;
  const answers = [
    await create('third', atMs + 400, 'customer/42', { priority: 'highest' }),
    await create('second', atMs + 200, 'customer/42', { priority: 'high' }),
    await create('first', atMs, 'customer/42', { priority: 'lowest' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
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
  const atMs = Date.now() + 4_000;
  await create('broken', atMs, 'customer/43', { onFailure: 'block' });
  await create('behind', atMs + 100, 'customer/43');
  await create('elsewhere', atMs + 200, 'customer/44');
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
