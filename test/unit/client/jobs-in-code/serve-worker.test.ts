import { defineJob, FatalError, RetryAfter, serve } from '../../../../client/jobs-in-code';
import { FakeWorkServer } from '../../../support/work-server';

let server: FakeWorkServer;
beforeEach(() => {
  jest.useFakeTimers();
  server = new FakeWorkServer();
});
afterEach(() => {
  server.close();
  jest.useRealTimers();
});

test('a worker runs the jobs of its queue, with their logs, and reports what each error means', async () => {
  const jobs = [
    defineJob({
      id: 'load',
      run({ payload, log }) {
        log.info('begins');
        log.warn(JSON.stringify(payload));
        return { rows: 7 };
      },
    }),
    defineJob({ id: 'fatal', run: () => Promise.reject(new FatalError('no such table')) }),
    defineJob({ id: 'busy', run: () => Promise.reject(new RetryAfter('5m', 'busy')) }),
  ];
  for (const jobId of ['load', 'fatal', 'busy', 'gone']) server.offer({ jobId, payload: undefined });
  const worker = serve(jobs).worker({
    url: 'https://api.test',
    token: 'key',
    queue: 'warehouse',
    surroundings: { fetch: (request) => server.fetch(request), random: () => 0 },
  });
  const done = worker.workOff();
  await jest.advanceTimersByTimeAsync(10_000);
  await done;
  expect(server.executions).toMatchObject([
    {
      status: 'succeeded',
      result: { rows: 7 },
      chunks: [
        [
          { text: 'begins', stream: 'stdout' },
          { text: '{}', stream: 'stderr' },
        ],
      ],
    },
    { status: 'failed', error: 'no such table', retriable: false },
    { status: 'failed', error: 'busy', retriable: true },
    { status: 'failed', retriable: true, error: expect.stringContaining('unknown-job: gone') as string },
  ]);
  const reports = server.requests.filter(({ path }) => path === '/v1/attempts/fail').map(({ body }) => body);
  expect(reports.map(({ retryAfter }) => retryAfter)).toEqual([undefined, '5m', '60s']);
  expect(reports.map(({ reason }) => reason)).toEqual([undefined, undefined, 'unknown-job']);
});

test('a worker that may not work says so once, also if nothing waits for its end', async () => {
  const said = jest.spyOn(console, 'error').mockReturnValue();
  const problem = { title: 'Forbidden', status: 403, detail: 'the token lacks the scope work' };
  const headers = { 'content-type': 'application/problem+json' };
  const worker = serve([defineJob({ id: 'load', run: () => undefined })]).worker({
    url: 'https://api.test',
    token: 'key',
    queue: 'warehouse',
    surroundings: { fetch: async () => Response.json(problem, { status: 403, headers }) },
  });
  void worker.start();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(said.mock.calls).toEqual([
    [
      'the worker of the queue warehouse has ended: Forbidden (403): the token lacks the scope work; its API key needs the role worker',
    ],
  ]);
});
