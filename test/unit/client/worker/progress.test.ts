import { Worker } from '../../../../client/worker';
import type { WorkerOptions } from '../../../../client/worker/worker';
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

const workerOf = ({ handler }: Pick<WorkerOptions, 'handler'>) =>
  new Worker({
    url: 'https://api.test',
    token: 'key',
    queue: 'warehouse',
    handler,
    surroundings: { fetch: (request) => server.fetch(request), random: () => 0 },
  });
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('progress goes with heartbeats, at most every five seconds, and its last value before the report', async () => {
  server.offer();
  const worker = workerOf({
    handler: async (_work, { progress }) => {
      for (let row = 1; row <= 120; row++) {
        progress(row / 120, `row ${row}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  });
  const done = worker.workOff();
  await pass(20_000);
  await done;
  const sent = server.requests.filter(({ path }) => path === '/v1/attempts/heartbeat');
  expect(sent.length).toBeGreaterThanOrEqual(3);
  expect(sent.length).toBeLessThanOrEqual(4);
  expect(sent.at(-1)).toMatchObject({ body: { progress: 1, text: 'row 120' } });
  expect(server.executions).toMatchObject([{ status: 'succeeded', lapses: 0 }]);
});

test('an API that takes no progress loses no lease', async () => {
  server.offer();
  server.takesNoProgress = true;
  let finish = () => undefined as void;
  const worker = workerOf({
    handler: (_work, { progress }) => {
      progress(0.5);
      return new Promise<void>((resolve) => (finish = resolve));
    },
  });
  const done = worker.workOff();
  await pass(100_000);
  finish();
  await pass(10_000);
  await done;
  expect(server.executions).toMatchObject([{ status: 'succeeded', lapses: 0 }]);
});
