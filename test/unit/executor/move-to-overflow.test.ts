import { moveToOverflow } from '../../../lambdas/executor/move-to-overflow';
import { aMessage } from '../../support/factories';
import { FakeClock } from '../../support/fake-clock';
import { MemoryQueue } from '../../support/memory-queue';
import { RecordingLog } from '../../support/recording-log';

/** An executor that receives a message of a project above its limit, and one of another project. */
function receiving(overrides: Partial<Parameters<typeof moveToOverflow>[1]> = {}) {
  const clock = new FakeClock();
  const queue = new MemoryQueue(clock);
  const loud = { id: 'loud', message: aMessage({ jobKey: 'loud/a' }) };
  const calm = { id: 'calm', message: aMessage({ jobKey: 'calm/b' }) };
  const log = new RecordingLog();
  const deps = {
    clock,
    queue,
    log,
    exceedsLaneLimit: async ({ jobKey }: { jobKey: string }) => jobKey.startsWith('loud/'),
    ...overrides,
  };
  return { queue, log, loud, calm, move: () => moveToOverflow([loud, calm], deps) };
}

test('messages of a project above its limit go to the overflow', async () => {
  const { queue, loud, calm, move } = receiving();
  expect(await move()).toEqual([calm]);
  expect(queue.messages).toEqual([loud.message]);
  expect((await queue.backlog('default', 'overflow')).visible).toBe(1);
});

test('executors of the overflow move nothing', async () => {
  const { queue, loud, calm, move } = receiving({ lane: 'overflow' });
  expect(await move()).toEqual([loud, calm]);
  expect(queue.messages).toEqual([]);
});

test('what cannot be moved is executed', async () => {
  const send = async () => Promise.reject(new Error('no answer'));
  const { log, loud, calm, move } = receiving({
    queue: { send, has: () => true, backlog: async () => ({ visible: 0, inFlight: 0 }) },
  });
  expect(await move()).toEqual([loud, calm]);
  expect(log.lines.map(({ message }) => message)).toEqual(['messages could not be moved to the overflow']);
});
