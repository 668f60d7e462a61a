import { randomUUID } from 'node:crypto';

// by its path: the package names no entry for `require`, which Jest goes by
import { buildApp } from '../../node_modules/fauxqs/dist/app.js';
import { FakeClock } from '../support/fake-clock';
import { MemoryQueue } from '../support/memory-queue';
import { describeQueue } from './queue.suite';
import { openSqsBackend, POOLS } from './sqs-backend';

describeQueue('memory', async () => {
  const clock = new FakeClock();
  const queue = new MemoryQueue(clock, { pools: POOLS });
  return {
    queue,
    receive: async (pool, priority) => queue.receive(pool, priority).map(({ message }) => message),
    pass: (ms) => clock.advance(ms),
    close: () => Promise.resolve(),
  };
});

describeQueue('SQS, as fauxqs speaks it', async () => {
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
  return openSqsBackend({ prefix: 'conformance', endpoint, stop: () => app.close() });
});

/**
 * Another SQS, on demand: the URL of an emulator, or `aws` for the account and region of the environment. The
 * suite creates twelve queues there and deletes them at the end.
 */
const endpoint = process.env.QUARTERJACK_SQS_ENDPOINT;
if (endpoint) {
  const prefix = `quarterjack-conformance-${randomUUID().slice(0, 8)}`;
  if (endpoint === 'aws') jest.setTimeout(300_000);
  describeQueue(endpoint, () =>
    openSqsBackend({ prefix, endpoint: endpoint === 'aws' ? undefined : endpoint }),
  );
}
