import { availableParallelism } from 'node:os';

import { Callers } from '../../../../local/services/callers';
import { FunctionPool } from '../../../../local/invoke/function-pool';
import type { FunctionSpec } from '../../../../local/template/stack';
import type { Environment, InvokeOutcome } from '../../../../local/invoke/environment';

type Options = ConstructorParameters<typeof Environment>[0];

/** Stands in for an environment: the test says when it is ready, and when it has handled its event. */
class FakeEnvironment {
  static started: FakeEnvironment[] = [];
  busy = false;
  finish = (): void => undefined;

  constructor(readonly options: Options) {
    FakeEnvironment.started.push(this);
  }

  invoke({ event }: { event: string }): Promise<InvokeOutcome> {
    this.busy = true;
    return new Promise((settle) => {
      this.finish = () => {
        this.busy = false;
        settle({ ok: true, payload: event });
      };
    });
  }

  kill(): void {
    this.options.onEnd(undefined);
  }
}

jest.mock('../../../../local/invoke/environment', () => ({
  Environment: jest.fn((options: Options) => new FakeEnvironment(options)),
}));

const started = () => FakeEnvironment.started;

function openPool(maxEnvironments = 100): FunctionPool {
  const spec = {
    arn: 'arn',
    name: 'stage',
    handler: 'index.handler',
    codeDirectory: '/code',
    environment: {},
  };
  return new FunctionPool({ ...spec, timeoutSec: 30, memoryMb: 128 } as unknown as FunctionSpec, {
    maxEnvironments,
    workerFile: 'worker.cjs',
    callers: new Callers(),
    aws: { region: 'us-east-1', awsUrl: 'http://127.0.0.1:1' },
    log: {
      write: () => undefined,
      line: () => undefined,
      invokeError: () => undefined,
      close: () => undefined,
    },
  });
}

/** Lets promises settle, without time. */
const settled = () => jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
  FakeEnvironment.started = [];
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

test('the first event starts an environment at once, and one that is soon idle serves the next', async () => {
  const pool = openPool();
  const outcomes = [pool.invoke('1'), pool.invoke('2')];
  expect(started()).toHaveLength(1);
  started()[0]!.options.onReady();
  await jest.advanceTimersByTimeAsync(20);
  started()[0]!.finish();
  await settled();
  started()[0]!.finish();
  await expect(Promise.all(outcomes)).resolves.toEqual([
    { ok: true, payload: '1' },
    { ok: true, payload: '2' },
  ]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(started()).toHaveLength(1);
  pool.stop();
});

test('an event that waits longer gets an environment of its own', async () => {
  const pool = openPool();
  void pool.invoke('long');
  started()[0]!.options.onReady();
  void pool.invoke('waits');
  await jest.advanceTimersByTimeAsync(49);
  expect(started()).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(2);
  expect(started()).toHaveLength(2);
  pool.stop();
});

test('no more environments start at a time than there are processors, and all events get one', async () => {
  const pool = openPool(availableParallelism() + 2);
  for (let index = 0; index < 50; index++) void pool.invoke(String(index));
  for (let size = availableParallelism(); size <= availableParallelism() + 2; size++) {
    await jest.advanceTimersByTimeAsync(1_000);
    expect(started()).toHaveLength(size);
    started()[size - 1 - (availableParallelism() - 1)]!.options.onReady();
  }
  await jest.advanceTimersByTimeAsync(1_000);
  expect(started()).toHaveLength(availableParallelism() + 2);
  pool.stop();
});

test('an event whose environment fails to start gets the error, and the others still get one', async () => {
  const pool = openPool();
  const first = pool.invoke('1');
  const second = pool.invoke('2');
  const error = { errorType: 'Error', errorMessage: 'no such module', trace: [] };
  started()[0]!.options.onEnd(error);
  await expect(first).resolves.toEqual({ ok: false, error });
  expect(started()).toHaveLength(2);
  started()[1]!.options.onReady();
  started()[1]!.finish();
  await expect(second).resolves.toEqual({ ok: true, payload: '2' });
  pool.stop();
});
