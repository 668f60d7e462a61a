import { systemClock } from '../../../../local/machine/clock';
import { LocalQueue } from '../../../../local/services/sqs/local-queue';
import { startMapping } from '../../../../local/sources/event-source-mapping';
import { lambdaRamp } from '../../../../local/sources/ramp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

interface Settings {
  maxConcurrency: number;
  minPollers?: number;
  ramp?: boolean;
}

/** A mapping with one message a batch, whose batches end when the test ends them. */
function mappingOf({ ramp = true, ...settings }: Settings) {
  const queue = new LocalQueue('q', 'arn:q', 'http://q', {}, () => undefined, systemClock);
  const running: (() => void)[] = [];
  const mapping = startMapping(
    {
      logicalId: 'M',
      queueArn: 'arn:q',
      functionArn: 'arn:f',
      reportsItemFailures: true,
      batchSize: 1,
      mostWithRoom: settings.maxConcurrency,
      ...settings,
    },
    {
      queue,
      region: 'us-east-1',
      clock: systemClock,
      ramp,
      hasRoom: () => false,
      invoke: () => new Promise((end) => running.push(() => end({ ok: true, payload: undefined }))),
    },
  );
  let sent = 0;
  return {
    queue,
    running,
    send(messages: number) {
      for (let left = messages; left > 0; left--)
        queue.send({
          messageId: `id-${(sent += 1)}`,
          body: '',
          md5OfBody: '',
          messageAttributes: {},
          sentTimestamp: Date.now(),
          approximateReceiveCount: 0,
        });
    },
    async endAll() {
      for (const end of running.splice(0)) end();
      await jest.advanceTimersByTimeAsync(1);
    },
    async stop() {
      queue.purge();
      for (const end of running.splice(0)) end();
      const stopped = mapping.stop();
      await jest.advanceTimersByTimeAsync(1_000);
      for (const end of running.splice(0)) end();
      await stopped;
    },
  };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('a burst after silence starts with five batches, and gets five more each second', async () => {
  const { running, send, stop } = mappingOf({ maxConcurrency: 40 });
  send(100);
  await pass(10);
  expect(running).toHaveLength(5);
  await pass(1_000);
  expect(running).toHaveLength(10);
  await pass(2_000);
  expect(running).toHaveLength(20);
  await stop();
});

test('the maximum of the mapping bounds the ramp', async () => {
  const { running, send, stop } = mappingOf({ maxConcurrency: 8 });
  send(100);
  await pass(60_000);
  expect(running).toHaveLength(8);
  await stop();
});

test('without the ramp, all batches start at once', async () => {
  const { running, send, stop } = mappingOf({ maxConcurrency: 16, ramp: false });
  send(100);
  await pass(10);
  expect(running).toHaveLength(16);
  await stop();
});

test('provisioned pollers are ready with ten batches each', async () => {
  const { running, send, stop } = mappingOf({ maxConcurrency: 100, minPollers: 2 });
  send(100);
  await pass(10);
  expect(running).toHaveLength(20);
  await pass(3_000); // 1,000 more a minute
  expect(running).toHaveLength(70);
  await stop();
});

test('a source whose batches are not all at work gets no more of them', async () => {
  const { running, send, stop } = mappingOf({ maxConcurrency: 40 });
  send(3);
  await pass(30_000);
  expect(running).toHaveLength(3);
  send(100);
  await pass(10);
  expect(running).toHaveLength(5);
  await stop();
});

test('a source that pauses for less than a minute keeps its batches, and loses them after that', async () => {
  const { queue, running, send, endAll, stop } = mappingOf({ maxConcurrency: 40 });
  const drain = async () => {
    while (running.length > 0) await endAll();
    expect(queue.counts).toEqual({ ready: 0, delayed: 0, inFlight: 0 });
  };
  send(60);
  await pass(5_010);
  expect(running).toHaveLength(30);
  await drain();
  await pass(50_000);
  send(100);
  await pass(10);
  expect(running).toHaveLength(30);
  await drain();
  await pass(60_000);
  send(100);
  await pass(10);
  expect(running).toHaveLength(5);
  await stop();
});

test('the ramp of AWS: its figures by kind of mapping', () => {
  expect(lambdaRamp({ maxConcurrency: 1_250 })).toEqual({ start: 5, morePerMinute: 300, most: 1_250 });
  expect(lambdaRamp({ maxConcurrency: 2 })).toEqual({ start: 2, morePerMinute: 300, most: 2 });
  expect(lambdaRamp({ maxConcurrency: 200, minPollers: 16 })).toEqual({
    start: 160,
    morePerMinute: 1_000,
    most: 200,
  });
});
