import { systemClock } from '../../../../../local/machine/clock';
import { LocalQueue } from '../../../../../local/services/sqs/local-queue';
import type { QueuedMessage } from '../../../../../local/services/sqs/message';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const queueOf = (attributes: Record<string, string> = {}, deadLetters?: LocalQueue) =>
  new LocalQueue('q', 'arn:q', 'http://q', attributes, () => deadLetters, systemClock);
const message = (body: string, delaySec = 0): QueuedMessage => ({
  messageId: `id-${body}`,
  body,
  md5OfBody: '',
  messageAttributes: {},
  sentTimestamp: Date.now(),
  approximateReceiveCount: 0,
  ...(delaySec > 0 && { delayUntil: Date.now() + delaySec * 1000 }),
});
const bodies = (queue: LocalQueue, max = 10) => queue.receive(max).map(({ message: { body } }) => body);

test('delayed messages become visible in the order of their times, not a millisecond early', () => {
  const queue = queueOf();
  for (const delaySec of [3, 1, 2]) queue.send(message(`in ${delaySec}`, delaySec));
  jest.advanceTimersByTime(999);
  expect(bodies(queue)).toEqual([]);
  expect(queue.counts).toEqual({ ready: 0, delayed: 3, inFlight: 0 });
  jest.advanceTimersByTime(1);
  expect(bodies(queue)).toEqual(['in 1']);
  jest.advanceTimersByTime(2000);
  expect(bodies(queue)).toEqual(['in 2', 'in 3']);
  expect(queue.counts).toEqual({ ready: 0, delayed: 0, inFlight: 3 });
});

test('a message becomes visible again after its visibility timeout, unless it was deleted', () => {
  const queue = queueOf({ VisibilityTimeout: '5' });
  queue.send(message('kept'));
  queue.send(message('deleted'));
  const [, second] = queue.receive(10);
  queue.delete(second?.receiptHandle ?? '');
  jest.advanceTimersByTime(4999);
  expect(queue.receive(10)).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(queue.receive(10)).toMatchObject([{ message: { body: 'kept', approximateReceiveCount: 2 } }]);
});

test('a changed visibility timeout replaces the original one', () => {
  const queue = queueOf({ VisibilityTimeout: '5' });
  queue.send(message('longer'));
  queue.send(message('at once'));
  const [longer, atOnce] = queue.receive(10);
  queue.changeVisibility(longer?.receiptHandle ?? '', 60);
  queue.changeVisibility(atOnce?.receiptHandle ?? '', 0);
  expect(bodies(queue)).toEqual(['at once']);
  jest.advanceTimersByTime(59_999);
  expect(bodies(queue)).toEqual(['at once']);
  jest.advanceTimersByTime(1);
  expect(bodies(queue)).toEqual(['longer']);
});

test('a message received too often moves to the dead-letter queue unchanged', () => {
  const dead = queueOf();
  const policy = { deadLetterTargetArn: 'arn:dead', maxReceiveCount: 2 };
  const queue = queueOf({ VisibilityTimeout: '0', RedrivePolicy: JSON.stringify(policy) }, dead);
  queue.send(message('bad'));
  expect([bodies(queue), bodies(queue), bodies(queue)]).toEqual([['bad'], ['bad'], []]);
  expect(dead.receive(10)).toMatchObject([
    { message: { messageId: 'id-bad', deadLetterQueueSourceArn: 'arn:q' } },
  ]);
});

test('a message older than the retention is dropped', () => {
  const queue = queueOf({ MessageRetentionPeriod: '60' });
  queue.send(message('old'));
  jest.advanceTimersByTime(60_001);
  expect(bodies(queue)).toEqual([]);
});

describe('waiting', () => {
  test('one message wakes one consumer, and the others keep waiting', async () => {
    const queue = queueOf();
    const woken: number[] = [];
    const waiters = [1, 2, 3].map((n) =>
      queue.whenReady(20_000).then((ready) => {
        if (ready) woken.push(n, ...queue.receive(10).map(() => 0));
        return ready;
      }),
    );
    queue.send(message('one'));
    await jest.advanceTimersByTimeAsync(19_999);
    expect(woken).toEqual([1, 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.all(waiters)).toEqual([true, false, false]);
  });

  test('messages that are sent together are received together', async () => {
    const queue = queueOf();
    const received = queue.whenReady(1000).then(() => bodies(queue));
    for (const body of ['a', 'b', 'c']) queue.send(message(body));
    await jest.advanceTimersByTimeAsync(1);
    expect(await received).toEqual(['a', 'b', 'c']);
  });

  test('a delayed message, or one that becomes visible again, wakes a consumer at its time', async () => {
    const queue = queueOf({ VisibilityTimeout: '2' });
    queue.send(message('seen'));
    queue.receive(1);
    queue.send(message('delayed', 1));
    const atMs: number[] = [];
    const startMs = Date.now();
    // The fake clock runs a timer's `setImmediate` one millisecond after the timer.
    for (const stepMs of [1001, 1000]) {
      const ready = queue.whenReady(20_000);
      await jest.advanceTimersByTimeAsync(stepMs);
      expect(await ready).toBe(true);
      atMs.push(Date.now() - startMs);
      expect(queue.receive(10)).toHaveLength(1);
    }
    expect(atMs).toEqual([1001, 2001]);
  });

  test('an aborted consumer takes no message from the next', async () => {
    const queue = queueOf();
    const aborted = new AbortController();
    const first = queue.whenReady(20_000, aborted.signal);
    const second = queue.whenReady(20_000);
    aborted.abort();
    queue.send(message('one'));
    await jest.advanceTimersByTimeAsync(1);
    expect([await first, await second]).toEqual([false, true]);
    expect(bodies(queue)).toEqual(['one']);
  });
});

test('deadlines of deleted messages do not accumulate', () => {
  const queue = queueOf({ VisibilityTimeout: '43200' });
  const timed = (queue as unknown as { timed: { size: number } }).timed;
  for (let n = 0; n < 30_000; n++) {
    queue.send(message('x'));
    for (const { receiptHandle } of queue.receive(10)) queue.delete(receiptHandle);
  }
  expect(timed.size).toBeLessThan(20_000);
});
