import { ConnectionError, type Quarterjack, QuarterjackError, ResponseError } from '../../../client';
import { clientOf, json, JOB } from './fake-api';

const CALLS: [name: string, call: (client: Quarterjack) => Promise<unknown>][] = [
  ['jobs.create', ({ jobs }) => jobs.create(JOB)],
  ['jobs.createBatch', ({ jobs }) => jobs.createBatch([JOB])],
  ['jobs.put', ({ jobs }) => jobs.put('a', JOB)],
  ['jobs.get', ({ jobs }) => jobs.get('a')],
  ['jobs.list', ({ jobs }) => jobs.list().toArray()],
  ['jobs.patch', ({ jobs }) => jobs.patch('a', { priority: 'low' })],
  ['jobs.pause', ({ jobs }) => jobs.pause('a')],
  ['jobs.resume', ({ jobs }) => jobs.resume('a')],
  ['jobs.run', ({ jobs }) => jobs.run('a')],
  ['jobs.upcoming', ({ jobs }) => jobs.upcoming('a')],
  ['executions.list', ({ executions }) => executions.list('a').toArray()],
  ['executions.get', ({ executions }) => executions.get('a', 'e')],
  ['executions.wait', ({ executions }) => executions.wait('a', 'e')],
  ['executions.cancel', ({ executions }) => executions.cancel('a', 'e')],
  ['executions.retry', ({ executions }) => executions.retry('a', 'e')],
  ['failures', (client) => client.failures().toArray()],
  ['preview', (client) => client.preview('rate(5 minutes)')],
  ['orderingKey', (client) => client.orderingKey('k')],
  ['unblock', (client) => client.unblock('k')],
  ['openApi', (client) => client.openApi()],
  ['signingSecret', (client) => client.signingSecret()],
  ['rotateSigningSecret', (client) => client.rotateSigningSecret()],
];

const BODIES = ['thanks', '<html>sign in</html>', '', '{', '{}', '[]', 'null', '7', '{"items":{}}'];

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'nothing',
    (error: unknown) => error,
  );

describe.each(CALLS)('%s', (_name, call) => {
  test.each(BODIES)('throws a ResponseError for 200 with %j', async (body) => {
    const { client } = clientOf([new Response(body, { status: 200 })]);
    expect(await thrownBy(call(client))).toBeInstanceOf(ResponseError);
  });

  test('throws a ResponseError for 204', async () => {
    const { client } = clientOf([new Response(null, { status: 204 })]);
    expect(await thrownBy(call(client))).toBeInstanceOf(ResponseError);
  });

  test.each([...BODIES, '{"detail":7,"errors":"x"}', '{"errors":[null,7]}', '{"title":{},"message":[]}'])(
    'throws a QuarterjackError for 400 with %j',
    async (body) => {
      const { client } = clientOf([new Response(body, { status: 400 })]);
      expect(await thrownBy(call(client))).toMatchObject({
        name: 'ValidationError',
        detail: expect.any(String) as string,
        errors: [],
      });
    },
  );
});

test('a ResponseError says where the response came from, and what it is', async () => {
  const { client } = clientOf([new Response('<html>sign in</html>')]);
  await expect(client.jobs.get('a')).rejects.toThrow(
    'the response from https://api.test/v1/jobs/a (200) is not JSON: "<html>sign in</html>"; is this the URL of a Quarterjack API?',
  );
});

test('a body that breaks off is a failure of the network, and is repeated', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"jobId":'));
          controller.error(new Error('terminated'));
        },
      }),
    );
  const { client } = clientOf([broken(), json(200, { jobId: 'a' })]);
  expect(await client.jobs.get('a')).toMatchObject({ jobId: 'a' });
  const once = clientOf([broken()], { maxTries: 1 });
  await expect(once.client.jobs.get('a')).rejects.toThrow(ConnectionError);
});

test('values that no request can carry are a QuarterjackError', async () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  const { client } = clientOf([]);
  for (const payload of [loop, 1n])
    expect(await thrownBy(client.jobs.create({ ...JOB, payload }))).toBeInstanceOf(QuarterjackError);
  expect(await thrownBy(client.jobs.get('\ud800'))).toBeInstanceOf(QuarterjackError);
});

test('the reason of an aborted signal is thrown as it is', async () => {
  const reason = new Error('enough');
  const { client } = clientOf([]);
  await expect(client.jobs.get('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
