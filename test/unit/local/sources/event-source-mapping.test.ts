import { setImmediate } from 'node:timers/promises';

import { systemClock } from '../../../../local/machine/clock';
import type { InvokeOutcome } from '../../../../local/invoke/environment';
import { LocalQueue } from '../../../../local/services/sqs/local-queue';
import { startMapping, startMappings } from '../../../../local/sources/event-source-mapping';
import { eventually } from '../../../support/eventually';

interface Invocation {
  bodies: string[];
  end(outcome: InvokeOutcome): void;
}
const SUCCESS: InvokeOutcome = { ok: true, payload: undefined };
const CRASH: InvokeOutcome = { ok: false, error: { errorType: 'Error', errorMessage: 'x', trace: [] } };

const newQueue = () => new LocalQueue('q', 'arn:q', 'http://q', {}, () => undefined, systemClock);
const messageOf = (body: string) => ({
  ...{ messageId: `id-${body}`, body, md5OfBody: '', messageAttributes: {} },
  ...{ sentTimestamp: Date.now(), approximateReceiveCount: 0 },
});
/** What all mappings here have in common. */
const MAPPING = { logicalId: 'M', queueArn: 'arn:q', functionArn: 'arn:f', reportsItemFailures: true };

/** A mapping of a queue with messages `0`, `1`, …. The test ends its invocations. */
function mappingOf(
  messages: number,
  settings: { batchSize: number; maxConcurrency: number; mostWithRoom?: number },
  { hasRoom, ramp = false }: { hasRoom(): boolean; ramp?: boolean } = { hasRoom: () => false },
) {
  const queue = newQueue();
  for (let index = 0; index < messages; index++) queue.send(messageOf(String(index)));
  const invocations: Invocation[] = [];
  const mapping = startMapping(
    { ...MAPPING, mostWithRoom: settings.maxConcurrency, ...settings },
    {
      queue,
      region: 'us-east-1',
      clock: systemClock,
      ramp,
      hasRoom,
      invoke: (_, event) =>
        new Promise((end) => {
          const { Records } = JSON.parse(event) as { Records: { body: string }[] };
          invocations.push({ bodies: Records.map(({ body }) => body), end });
        }),
    },
  );
  const started = (count: number) =>
    eventually(
      () => invocations.length,
      (length) => length >= count,
    );
  return { queue, mapping, invocations, started };
}

test('batches run concurrently up to the limit, and the next one starts as soon as one ends', async () => {
  const { queue, mapping, invocations, started } = mappingOf(8, { batchSize: 2, maxConcurrency: 3 });
  await started(3);
  expect(invocations.map(({ bodies }) => bodies)).toEqual([
    ['0', '1'],
    ['2', '3'],
    ['4', '5'],
  ]);
  expect(queue.counts).toMatchObject({ ready: 2, inFlight: 6 });
  invocations[1]?.end(SUCCESS);
  await started(4);
  expect(invocations[3]?.bodies).toEqual(['6', '7']);
  expect(queue.counts).toMatchObject({ ready: 0, inFlight: 6 });
  for (const { end } of invocations) end(SUCCESS);
  await mapping.stop();
  expect(queue.counts).toEqual({ ready: 0, delayed: 0, inFlight: 0 });
});

test('while the processors have room, more batches run than the share of the queue', async () => {
  let room = false;
  const settings = { batchSize: 1, maxConcurrency: 1, mostWithRoom: 3 };
  const { queue, mapping, invocations, started } = mappingOf(6, settings, { hasRoom: () => room });
  await started(1);
  expect(invocations).toHaveLength(1);
  room = true;
  await started(3);
  expect(invocations).toHaveLength(3);
  room = false;
  for (const { end } of invocations.slice(0, 2)) end(SUCCESS);
  await eventually(
    () => queue.counts.inFlight,
    (inFlight) => inFlight === 1,
  );
  expect(invocations).toHaveLength(3);
  const stopped = mapping.stop();
  for (const { end } of invocations) end(SUCCESS);
  await stopped;
  expect(queue.counts.ready).toBe(3);
});

test("under Lambda's ramp, room gives no more batches", async () => {
  const settings = { batchSize: 1, maxConcurrency: 2, mostWithRoom: 4 };
  const { queue, mapping, invocations, started } = mappingOf(4, settings, {
    hasRoom: () => true,
    ramp: true,
  });
  await started(2);
  const stopped = mapping.stop();
  for (const { end } of invocations) end(SUCCESS);
  await stopped;
  expect(queue.counts.ready).toBe(2);
});

test('failed messages stay in flight, successful ones are deleted', async () => {
  const { queue, mapping, invocations, started } = mappingOf(5, { batchSize: 3, maxConcurrency: 2 });
  await started(2);
  invocations[0]?.end({ ok: true, payload: '{"batchItemFailures":[{"itemIdentifier":"id-1"}]}' });
  invocations[1]?.end(CRASH);
  await mapping.stop();
  expect([...queue.inFlight.values()].map(({ message }) => message.body)).toEqual(['1', '3', '4']);
});

test('a function is warm before its first message is due, and takes nothing before that message', async () => {
  const queue = newQueue();
  const warmed: string[] = [];
  const mappings = startMappings([{ ...MAPPING, batchSize: 1, maxConcurrency: 1, mostWithRoom: 1 }], {
    ...{ region: 'us-east-1', clock: systemClock, ramp: false, hasRoom: () => false },
    queueOf: () => queue,
    warmUp: (functionArn) => warmed.push(functionArn),
    invoke: () => Promise.reject(new Error('nothing is due')),
  });
  await setImmediate();
  const before = [...warmed];
  queue.send({ ...messageOf('later'), delayUntil: Date.now() + 60_000 });
  await setImmediate();
  await mappings.stop();
  expect([before, warmed]).toEqual([[], ['arn:f']]);
});
