import { moveToOverflow } from '../../../lambdas/executor/move-to-overflow';
import { aMessage, T0_MS } from '../../support/factories';
import { FakeClock } from '../../support/fake-clock';
import { MemoryQueue } from '../../support/memory-queue';
import { RecordingLog } from '../../support/recording-log';

/** An executor that receives, 2 s after its start, a message of a project above its limit, and others. */
function receiving(overrides: Partial<Parameters<typeof moveToOverflow>[1]> = {}) {
  const clock = new FakeClock(T0_MS + 2_000);
  const queue = new MemoryQueue(clock);
  const late = { id: 'late', message: aMessage({ jobKey: 'loud/a', startAtMs: T0_MS }) };
  const onTime = { id: 'on time', message: aMessage({ jobKey: 'loud/b', startAtMs: T0_MS + 1_500 }) };
  const other = { id: 'other', message: aMessage({ jobKey: 'calm/c', startAtMs: T0_MS }) };
  const asked: string[] = [];
  const log = new RecordingLog();
  const deps = {
    clock,
    queue,
    log,
    exceedsLaneLimit: async ({ jobKey }: { jobKey: string }) => {
      asked.push(jobKey);
      return jobKey.startsWith('loud/');
    },
    ...overrides,
  };
  return { queue, log, asked, late, onTime, other, pass: () => moveToOverflow([late, onTime, other], deps) };
}

test('what has waited of a project above its limit goes to the overflow', async () => {
  const { queue, asked, late, onTime, other, pass } = receiving();
  expect(await pass()).toEqual([onTime, other]);
  expect(queue.messages).toEqual([late.message]);
  expect((await queue.backlog('default', 'overflow')).visible).toBe(1);
  expect(asked).toEqual(['loud/a', 'calm/c']);
});

test('executors of the overflow move nothing', async () => {
  const { queue, asked, late, onTime, other, pass } = receiving({ lane: 'overflow' });
  expect(await pass()).toEqual([late, onTime, other]);
  expect(queue.messages).toEqual([]);
  expect(asked).toEqual([]);
});

test('what cannot be moved is executed', async () => {
  const send = async () => Promise.reject(new Error('no answer'));
  const { log, late, onTime, other, pass } = receiving({
    queue: { send, has: () => true, backlog: async () => ({ visible: 0, inFlight: 0 }) },
  });
  expect(await pass()).toEqual([late, onTime, other]);
  expect(log.lines.map(({ message }) => message)).toEqual(['messages could not be moved to the overflow']);
});
