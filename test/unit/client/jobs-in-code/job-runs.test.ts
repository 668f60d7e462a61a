import * as z from 'zod';

import { connectJobs, defineJob, type JobContext, serve, testJob } from '../../../../client/jobs-in-code';
import { CALL_SECRET, signedCall } from '../../../support/signed-call';
import { json, problem, type SeenRequest } from '../fake-api';

let seen: SeenRequest[];
let responses: Response[];
const RUN = {
  jobId: 'stage-remind',
  execId: '20261201T090000.000Z.x',
  dueAt: '2026-12-01T09:00:00.000Z',
  status: 'queued',
};
const schema = z.object({ order: z.string(), days: z.number().default(3) });
let act: (context: JobContext) => unknown;
const remind = defineJob({ id: 'remind', schema, run: ({ payload }) => ({ sent: payload.days }) });
const outer = defineJob({ id: 'outer', run: (context) => act(context) });

const connected = () =>
  connectJobs({
    url: 'https://api.test',
    token: 'a.b.c',
    prefix: 'stage-',
    surroundings: {
      sleep: () => Promise.resolve(),
      async fetch(request) {
        const { method, headers } = request;
        const text = await request.text();
        const path = new URL(request.url).pathname + new URL(request.url).search;
        seen.push({ method, path, headers, body: text ? JSON.parse(text) : undefined });
        return responses.shift()!;
      },
    },
  });

beforeEach(() => {
  seen = [];
  responses = [];
  connected();
});

/** Runs `act` in a delivery that 2 others led to. */
async function delivered(run: typeof act) {
  act = run;
  jest.spyOn(console, 'error').mockImplementation();
  const headers = { ...signedCall('{}', { 'quarterjack-job': 'outer', 'quarterjack-hop': '3' }) };
  const request = new Request('https://app.test/', {
    method: 'POST',
    body: '{}',
    headers: { ...headers, traceparent: '00-1-2-01' },
  });
  return serve([outer], { secret: CALL_SECRET }).fetch(request);
}

test('a run at a later time, with its key', async () => {
  responses = [json(202, { ...RUN, key: 'a/1', created: true })];
  const run = await remind.schedule({ order: 'a' }, { in: '30m', key: 'a/1', onExisting: 'replace' });
  expect(run).toMatchObject({ execId: RUN.execId, dueAt: new Date(RUN.dueAt), key: 'a/1', created: true });
  expect(seen).toMatchObject([
    {
      path: '/v1/jobs/stage-remind/run',
      body: { payload: { order: 'a' }, delay: '30m', key: 'a/1', onExisting: 'replace' },
    },
  ]);
  expect(seen[0]!.headers.get('quarterjack-hop')).toBeNull();
});

test('a run that has ended gives its result, if it is whole', async () => {
  const ended = (body: string) =>
    json(200, { ...RUN, status: 'succeeded', result: { statusCode: 200, body } });
  responses = [json(202, RUN), ended('{"sent":3}'), ended('{"sent'), json(200, { ...RUN, status: 'failed' })];
  const run = await remind.trigger({ order: 'a' }, { key: 'k' });
  const { result }: { result?: { sent: number } } = await run.wait();
  expect(result).toEqual({ sent: 3 });
  expect(await run.wait()).not.toHaveProperty('result');
  expect(await run.wait()).toMatchObject({ status: 'failed', execution: { execId: RUN.execId } });
});

test('many runs are asked for by 100, and each has its outcome', async () => {
  const outcome = (index: number) => ({ index, status: 202, execution: RUN });
  const refused = { type: 'x', title: 'Too many', status: 429, detail: 'later' };
  responses = [
    json(207, { outcomes: Array.from({ length: 100 }, (_, index) => outcome(index)) }),
    json(207, { outcomes: [{ index: 0, status: 429, problem: refused }] }),
  ];
  const at = new Date('2026-12-02T09:00:00Z');
  const runs = Array.from({ length: 101 }, (_, index) => ({ payload: { order: `${index}` }, at }));
  const made = await remind.scheduleMany(runs);
  expect(made).toHaveLength(101);
  expect(made[99]).toMatchObject({ run: { execId: RUN.execId } });
  expect(made[100]).toMatchObject({ error: { name: 'RateLimitError', detail: 'later' } });
  expect(seen.map(({ path, body }) => [path, (body as { runs: object[] }).runs.length])).toEqual([
    ['/v1/jobs/stage-remind/runs', 100],
    ['/v1/jobs/stage-remind/runs', 1],
  ]);
  expect(seen[1]!.body).toEqual({ runs: [{ payload: { order: '100' }, at: at.toISOString() }] });
});

test('a cancel by the key, and the list of runs', async () => {
  responses = [json(200, { outcome: 'cancelled' }), json(200, { items: [RUN], nextCursor: null })];
  expect(await remind.cancel('a/1')).toEqual({ outcome: 'cancelled' });
  expect(await remind.list({ status: 'queued' }).toArray()).toEqual([RUN]);
  expect(seen.map(({ path }) => path)).toEqual([
    '/v1/jobs/stage-remind/runs/cancel',
    '/v1/jobs/stage-remind/executions?status=queued',
  ]);
});

describe('a server that is older than the package', () => {
  const noRoute = () => json(404, { message: 'Not Found' });
  const noField = (path: string) =>
    problem(400, {
      errors: [{ path, message: 'is not a known field' }],
      detail: `${path} is not a known field`,
    });
  const OLDER = 'the server is older than this package: it has no';

  test.each<[string, () => Response, () => Promise<unknown>, string]>([
    [
      'has no runs at a later time',
      () => noField('delay'),
      () => remind.schedule({ order: 'a' }, { in: '1m' }),
      'field delay',
    ],
    ['has no keys', () => noField('key'), () => remind.trigger({ order: 'a' }, { key: 'k' }), 'field key'],
    [
      'has no requests for many',
      noRoute,
      () => remind.scheduleMany([{ payload: { order: 'a' }, in: '1m' }]),
      'such route',
    ],
    ['cancels by no key', noRoute, () => remind.cancel('k'), 'such route'],
  ])('%s: the error says so', async (_, response, call, lacks) => {
    responses = [response()];
    await expect(call()).rejects.toThrow(`${OLDER} ${lacks}. Update the server`);
  });

  test('is not what a mistake of the caller, or a job that is not there, looks like', async () => {
    responses = [noField('prio'), problem(404, { detail: 'job not found' })];
    await expect(remind.trigger({ order: 'a' }, { prio: 'high' } as never)).rejects.toThrow(
      'prio is not a known field',
    );
    await expect(remind.cancel('k')).rejects.toThrow('job not found');
  });
});

test('what does not fit is refused before a request', async () => {
  await expect(remind.trigger({ order: 7 } as never)).rejects.toThrow(
    'job remind: the payload is invalid: order',
  );
  await expect(remind.schedule({ order: 'a' }, {} as never)).rejects.toThrow('one of in and at');
  await expect(remind.schedule({ order: 'a' }, { in: '1m', at: 'x' } as never)).rejects.toThrow('in and at');
  await expect(remind.schedule({ order: 'a' }, { at: new Date('soon') })).rejects.toThrow('at is');
  expect(seen).toEqual([]);
});

test('within a run, requests say how many deliveries led to them, and with which prefix it runs', async () => {
  responses = [json(202, RUN), json(202, RUN)];
  const response = await delivered(async ({ quarterjack }) => {
    await remind.trigger({ order: 'a' });
    await quarterjack.jobs.run('other', {}, { note: 'by hand' });
  });
  expect(response.status).toBe(204);
  expect(
    seen.map(({ path, headers }) => [path, headers.get('quarterjack-hop'), headers.get('traceparent')]),
  ).toEqual([
    ['/v1/jobs/remind/run', '3', '00-1-2-01'],
    ['/v1/jobs/other/run', '3', '00-1-2-01'],
  ]);
});

test('a run too deep is an error of the job', async () => {
  responses = [problem(409, { detail: '3 deliveries in a row led to this request' })];
  const response = await delivered(() => remind.trigger({ order: 'a' }));
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { detail: expect.stringContaining('3 deliveries in a row') as string },
  ]);
});

test('without a URL, a job runs, and what it would send is an error that says what is missing', async () => {
  connectJobs(undefined as never);
  expect((await delivered(() => 1)).status).toBe(200);
  await expect(remind.trigger({ order: 'a' })).rejects.toThrow('set QUARTERJACK_URL');
});

test('a tested job has its follow-ups, and sends nothing', async () => {
  const now = '2026-12-01T08:00:00Z';
  const tested = defineJob({
    id: 'tested',
    async run() {
      await remind.schedule({ order: 'a' }, { in: '30m', key: 'a' });
      await remind.schedule({ order: 'b' }, { at: '2026-12-24T00:00:00Z', key: 'b' });
      const again = await remind.schedule({ order: 'x' }, { in: '1h', key: 'b' });
      await remind.schedule({ order: 'c' }, { in: '1h', key: 'a', onExisting: 'replace' });
      await remind.scheduleMany([{ payload: { order: 'd' }, in: '1d' }]);
      return [
        again.created,
        await remind.cancel('b'),
        await remind.cancel('none'),
        await remind.list().toArray(),
      ];
    },
  });
  const { result, error, followUps } = await testJob(tested, { now });
  expect(error).toBeUndefined();
  expect(result).toEqual([false, { outcome: 'cancelled' }, { outcome: 'unknown' }, []]);
  expect(followUps).toEqual([
    { jobId: 'remind', payload: { order: 'c' }, dueAt: new Date('2026-12-01T09:00:00Z'), key: 'a' },
    { jobId: 'remind', payload: { order: 'd' }, dueAt: new Date('2026-12-02T08:00:00Z') },
  ]);
  expect(seen).toEqual([]);
});
