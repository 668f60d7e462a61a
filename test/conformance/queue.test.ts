import { randomUUID } from 'node:crypto';

import { CreateQueueCommand, DeleteQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';

import { systemClock } from '../../lambdas/core/clock/system-clock';
import { ExecutionMessage } from '../../lambdas/core/contracts/messages';
import { LANES } from '../../lambdas/core/contracts/pools';
import { sqsClient } from '../../lambdas/core/platform/clients';
import { type QueueUrls, sqsExecutionQueue } from '../../lambdas/core/queue/sqs/sqs-execution-queue';
import { buildApp } from '../../node_modules/fauxqs/dist/app.js';
import { FakeClock } from '../support/fake-clock';
import { FakeRandom } from '../support/fake-random';
import { MemoryQueue } from '../support/memory-queue';
import { describeQueue, type QueueBackend } from './queue.suite';

const POOLS: readonly string[] = ['default', 'gpu'];
/** Longer than the suite takes: what was received stays in flight. */
const VISIBILITY_SEC = 600;

interface SqsOptions {
  /** The names of its queues begin so. */
  prefix: string;
  /** URL of an emulator. Undefined: SQS itself, which counts messages late and answers from some servers. */
  endpoint: string | undefined;
  stop?(): Promise<void>;
}

/** Queues of the suite, which are deleted at its end. */
async function openSqsBackend({ prefix, endpoint, stop }: SqsOptions): Promise<QueueBackend> {
  const sqs = sqsClient(endpoint === undefined ? {} : { endpoint });
  const urls: Record<string, Record<string, string>> = {};
  for (const pool of POOLS) {
    urls[pool] = {};
    for (const lane of LANES) {
      const Attributes = { VisibilityTimeout: String(VISIBILITY_SEC) };
      const create = new CreateQueueCommand({ QueueName: `${prefix}-${pool}-${lane}`, Attributes });
      urls[pool][lane] = (await sqs.send(create)).QueueUrl!;
    }
  }
  const isAws = endpoint === undefined;
  return {
    queue: sqsExecutionQueue({ sqs, clock: systemClock, random: new FakeRandom() }, urls as QueueUrls),
    ...(isAws && { countsWithinMs: 120_000, delaySec: 10 }),
    async receive(pool, priority) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: urls[pool]![priority],
          MaxNumberOfMessages: 10,
          // A short poll asks some of SQS's servers, and may find nothing although there is something.
          WaitTimeSeconds: isAws ? 2 : 0,
        }),
      );
      return Messages.map(({ Body }) => ExecutionMessage.parse(JSON.parse(Body!)));
    },
    pass: (ms) => systemClock.sleep(ms),
    async close() {
      for (const QueueUrl of Object.values(urls).flatMap((byLane) => Object.values(byLane)))
        await sqs.send(new DeleteQueueCommand({ QueueUrl }));
      sqs.destroy();
      await stop?.();
    },
  };
}

// by its path: the package names no entry for `require`, which Jest goes by

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
