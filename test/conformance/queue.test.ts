import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';

import { systemClock } from '../../lambdas/core/clock/system-clock';
import { ExecutionMessage } from '../../lambdas/core/contracts/messages';
import { LANES } from '../../lambdas/core/contracts/pools';
import { sqsExecutionQueue, type QueueUrls } from '../../lambdas/core/queue/sqs/sqs-execution-queue';
import { sqsClient } from '../../lambdas/core/platform/clients';
// by its path: the package names no entry for `require`, which Jest goes by
import { buildApp } from '../../node_modules/fauxqs/dist/app.js';
import { FakeRandom } from '../support/fake-random';
import { FakeClock } from '../support/fake-clock';
import { MemoryQueue } from '../support/memory-queue';
import { describeQueue } from './queue.suite';

const POOLS = ['default', 'gpu'];

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
  const sqs = sqsClient({ endpoint });
  const urls: Record<string, Record<string, string>> = {};
  for (const pool of POOLS) {
    urls[pool] = {};
    for (const lane of LANES) {
      const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `${pool}-${lane}` }));
      urls[pool][lane] = QueueUrl!;
    }
  }
  return {
    queue: sqsExecutionQueue({ sqs, clock: systemClock, random: new FakeRandom() }, urls as QueueUrls),
    async receive(pool, priority) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: urls[pool]![priority], MaxNumberOfMessages: 10 }),
      );
      return Messages.map(({ Body }) => ExecutionMessage.parse(JSON.parse(Body!)));
    },
    pass: (ms) => systemClock.sleep(ms),
    async close() {
      sqs.destroy();
      await app.close();
    },
  };
});
