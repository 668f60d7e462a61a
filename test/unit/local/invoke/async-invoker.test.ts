import { systemClock } from '../../../../local/machine/clock';
import { AsyncInvoker } from '../../../../local/invoke/async-invoker';
import type { FunctionSpec } from '../../../../local/template/stack';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** An invoker of a function that fails `failures` times, with the times of its attempts and what it sent. */
function failing(failures: number, asyncInvoke: Partial<FunctionSpec['asyncInvoke']> = {}) {
  const atMs: number[] = [];
  const sent: [string, string][] = [];
  const startMs = Date.now();
  const spec = {
    logicalId: 'F',
    asyncInvoke: {
      maxRetries: 2,
      maxAgeSec: 21_600,
      destinationArn: undefined,
      deadLetterArn: undefined,
      ...asyncInvoke,
    },
  } as FunctionSpec;
  const invoker = new AsyncInvoker({
    clock: systemClock,
    spec: () => spec,
    invoke: async () => {
      atMs.push(Date.now() - startMs);
      return atMs.length > failures
        ? { ok: true, payload: undefined }
        : { ok: false, error: { errorType: 'Error', errorMessage: 'no', trace: [] } };
    },
    sendToQueue: async (_from, arn, body) => void sent.push([arn, body]),
    onError: () => undefined,
  });
  invoker.invoke('arn:f', '{"a":1}');
  return { invoker, atMs, sent };
}

test('an event that succeeds is invoked once', async () => {
  const { atMs } = failing(0);
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(atMs).toEqual([0]);
});

test('a failure is retried after one minute and after two more, then sent to the dead-letter queue', async () => {
  const { atMs, sent } = failing(9, { deadLetterArn: 'arn:dlq' });
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(atMs).toEqual([0, 60_000, 180_000]);
  expect(sent).toEqual([['arn:dlq', '{"a":1}']]);
});

test.each([
  ['maxRetries', { maxRetries: 0 }, [0]],
  ['maxAgeSec', { maxAgeSec: 120 }, [0, 60_000]],
])('%s limits the retries', async (_, asyncInvoke, expected) => {
  const { atMs } = failing(9, asyncInvoke);
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(atMs).toEqual(expected);
});

test('the failure destination gets the event and the error', async () => {
  const { sent } = failing(9, { maxRetries: 0, destinationArn: 'arn:q' });
  await jest.advanceTimersByTimeAsync(0);
  expect(sent[0]?.[0]).toBe('arn:q');
  expect(JSON.parse(sent[0]?.[1] ?? '')).toMatchObject({
    requestPayload: { a: 1 },
    responsePayload: { errorMessage: 'no' },
    requestContext: { condition: 'RetriesExhausted' },
  });
});

test('nothing is retried after a stop', async () => {
  const { invoker, atMs } = failing(9);
  await jest.advanceTimersByTimeAsync(0);
  invoker.stop();
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(atMs).toEqual([0]);
});
