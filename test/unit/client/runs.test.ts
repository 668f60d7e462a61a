import { clientOf, json } from './fake-api';

const RUN = ['etl', '20261201T010000.000Z'] as const;
const PATH = '/v1/jobs/etl/executions/20261201T010000.000Z';

test('what a user does to a run and its tasks is sent as the API takes it', async () => {
  const answers = Array.from({ length: 7 }, () =>
    json(200, { execId: RUN[1], taskId: 'load', status: 'running' }),
  );
  const { client, seen } = clientOf(answers);
  await client.runs.pause(...RUN, { note: 'maintenance' });
  await client.runs.resume(...RUN);
  await client.runs.approve(...RUN, 'release', { comment: 'seen', output: { version: 3 } });
  await client.runs.reject(...RUN, 'release', { note: 'early' });
  await client.runs.skip(...RUN, 'choose', { branch: 'small' });
  await client.runs.retryTask(...RUN, 'load', { mode: 'only' });
  await client.executions.retry(...RUN, { mode: 'from', tasks: ['load'], definition: 'current' });
  expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', `${PATH}/pause`, undefined],
    ['POST', `${PATH}/resume`, undefined],
    ['POST', `${PATH}/tasks/release/approve`, { comment: 'seen', output: { version: 3 } }],
    ['POST', `${PATH}/tasks/release/reject`, {}],
    ['POST', `${PATH}/tasks/choose/skip`, { branch: 'small' }],
    ['POST', `${PATH}/tasks/load/retry`, { mode: 'only' }],
    ['POST', `${PATH}/retry`, { mode: 'from', tasks: ['load'], definition: 'current' }],
  ]);
  expect(seen.map(({ headers }) => headers.get('quarterjack-note'))).toEqual([
    'maintenance',
    null,
    null,
    'early',
    null,
    null,
    null,
  ]);
});

test('what waits is listed page by page', async () => {
  const approval = { kind: 'approval', jobId: 'etl', execId: RUN[1], taskId: 'release' };
  const { client, seen } = clientOf([
    json(200, { items: [approval], nextCursor: 'next' }),
    json(200, { items: [{ ...approval, kind: 'held', taskId: null }], nextCursor: null }),
  ]);
  expect((await client.runs.waiting({ kind: 'approval' }).toArray()).map(({ kind }) => kind)).toEqual([
    'approval',
    'held',
  ]);
  expect(seen.map(({ path }) => path)).toEqual([
    '/v1/waiting?kind=approval',
    '/v1/waiting?kind=approval&cursor=next',
  ]);
});
