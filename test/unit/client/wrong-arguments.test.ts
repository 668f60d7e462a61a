import * as browserClient from '../../../client/browser';
import * as nodeClient from '../../../client';
import * as workerClient from '../../../client/worker';
import { aDelivery } from './deliveries/a-delivery';
import { clientOf } from './fake-api';

const { QuarterjackError } = nodeClient;

type Callable = (...given: unknown[]) => unknown;

const loop: { self?: unknown } = {};
loop.self = loop;
/** What a program in JavaScript may pass by mistake. */
const VALUES = [undefined, null, '', 'x', 7, {}, loop, [null], () => 'x', Symbol('x')];
/** In front of the two arguments that vary: ids, as most methods take them, or an object. */
const FIRST: unknown[][] = [[], ['x'], ['x', 'x'], ['x', 'x', 'x'], [{}]];

const HEADERS = {
  'quarterjack-callback': 'https://api.test/v1/attempts',
  'quarterjack-token': 'a.b.c',
};

/** Each object that a program can call, by name. Its responses are those of another server. */
function callees(): Record<string, object> {
  const { client } = clientOf([], { maxTries: 1 });
  const surroundings = { fetch: () => Promise.resolve(new Response('{}')), sleep: () => Promise.resolve() };
  const { ...rooms } = client as unknown as Record<string, object>;
  delete rooms.api;
  const connection = { url: 'https://api.test', retry: { maxTries: 1 }, surroundings };
  return {
    client,
    ...rooms,
    listing: new nodeClient.Listing(() => Promise.resolve({ items: [], nextCursor: null })),
    attempt: nodeClient.Attempt.from(aDelivery(HEADERS), { origin: 'https://api.test', ...connection })!,
    fenceGuard: new nodeClient.FenceGuard(),
    memoryFenceStore: new nodeClient.MemoryFenceStore(),
    worker: new workerClient.Worker({ ...connection, queue: 'q', handler: () => undefined }),
  };
}

const methodsOf = (callee: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(callee)).filter((name) => name !== 'constructor');

/** Methods that only the client itself calls. TypeScript hides them. */
const PRIVATE = ['page', 'post', 'report', 'requestOf', 'sendHeartbeats'];
/** They take no arguments, and a worker runs once. */
const OF_WORKER = methodsOf(callees().worker!);

const METHODS = Object.entries(callees())
  .filter(([name]) => name !== 'worker')
  .flatMap(([name, callee]) => methodsOf(callee).map((method) => [name, method] as const))
  .filter(([, method]) => !PRIVATE.includes(method));

/** What a call throws or rejects with. Lists are read, and functions that it returns are called. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    const result = await call();
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
      await (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    if (typeof result === 'function') await (result as Callable)();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function foreignErrors(call: Callable): Promise<string[]> {
  const found = new Set<string>();
  let calls = 0;
  for (const first of FIRST)
    for (const second of VALUES)
      for (const third of VALUES) {
        calls++;
        const error = await thrownBy(() => call(...first, second, third));
        if (error !== undefined && !(error instanceof QuarterjackError))
          found.add(error instanceof Error ? error.message : 'no error');
      }
  expect(calls).toBe(FIRST.length * VALUES.length ** 2);
  return [...found];
}

test('every method is called', () => {
  expect(METHODS.length).toBeGreaterThan(75);
  expect(METHODS.map(([name, method]) => `${name}.${method}`)).toContain('executions.lookup');
  expect(OF_WORKER).toContain('start');
});

test.each(METHODS)('%s.%s throws nothing but errors of the client', async (name, method) => {
  const callee = callees()[name] as Record<string, Callable>;
  expect(await foreignErrors((...given) => callee[method]!(...given))).toEqual([]);
});

/** TypeScript hides the constructor of one; the other makes errors. */
const NOT_CALLED = ['Attempt', 'problemOf'];
/** Classes and functions that a module exports, without its errors: these only carry what they are given. */
const exportsOf = (module: object): [string, unknown][] =>
  Object.entries(module).filter(
    ([name, value]) =>
      !NOT_CALLED.includes(name) &&
      typeof value === 'function' &&
      !(value.prototype instanceof Error) &&
      value !== QuarterjackError,
  );

const EXPORTS = [browserClient, nodeClient, workerClient].flatMap(exportsOf);

test.each(EXPORTS)('%s, from the exports, throws nothing but errors of the client', async (name, value) => {
  const isClass = /^[A-Z]/.test(name);
  const call = (...given: unknown[]): unknown => {
    if (!isClass) return (value as Callable)(...given);
    new (value as new (...given: unknown[]) => unknown)(...given);
    return undefined;
  };
  expect(await foreignErrors(call)).toEqual([]);
});

const wrongCalls: [argument: string, call: (client: nodeClient.Quarterjack) => unknown][] = [
  ['executions', ({ executions }) => executions.lookup('x' as never)],
  ['executions', ({ executions }) => executions.lookup([null] as never)],
  ['jobId', ({ jobs }) => jobs.get(undefined as never)],
  ['jobId', ({ jobs }) => jobs.delete('')],
  ['jobId', ({ jobs }) => jobs.pause('..')],
  ['options', ({ jobs }) => jobs.get('a', null as never)],
  ['options.signal', ({ jobs }) => jobs.get('a', { signal: 'soon' as never })],
  ['options.note', ({ jobs }) => jobs.pause('a', { note: null as never })],
  ['jobs', ({ jobs }) => jobs.createBatch({} as never)],
  ['filter', ({ jobs }) => jobs.list('x' as never).toArray()],
  ['max', ({ jobs }) => jobs.list().toArray('x' as never)],
  ['schedule', (client) => client.preview(7 as never)],
  ['request', async (client) => client.bulk(null as never).next()],
  ['options.timeoutMs', ({ executions }) => executions.wait('a', 'e', { timeoutMs: '1s' as never })],
  ['options.onProgress', ({ backfills }) => backfills.wait('a', 'e', { onProgress: 'x' as never })],
];

test.each(wrongCalls)('%s is named: %s', async (argument, call) => {
  const { client, seen } = clientOf([]);
  const error = await thrownBy(() => call(client));
  expect(error).toBeInstanceOf(nodeClient.ArgumentError);
  expect(error).toMatchObject({ argument, message: expect.stringContaining(`${argument} is `) as string });
  expect(seen).toEqual([]);
});

test('a call that returns a promise rejects, and throws nothing', async () => {
  const { client } = clientOf([]);
  const found = client.jobs.get(null as never);
  await expect(found).rejects.toThrow('jobId is null; expected an id');
});

const WORKER = { url: 'https://api.test', queue: 'q', handler: () => undefined };

test.each<[string, () => unknown]>([
  ['options', () => new nodeClient.Quarterjack(undefined as never)],
  ['url', () => new nodeClient.Quarterjack({ url: 7 as never })],
  ['token', () => new nodeClient.Quarterjack({ url: 'https://api.test', token: 7 as never })],
  ['project', () => new nodeClient.Quarterjack({ url: 'https://api.test', project: null as never })],
  ['note', () => new nodeClient.Quarterjack({ url: 'https://api.test', note: 7 as never })],
  [
    'retry.maxTries',
    () => new nodeClient.Quarterjack({ url: 'https://api.test', retry: { maxTries: '5' as never } }),
  ],
  ['options', () => new workerClient.Worker(null as never)],
  ['queue', () => new workerClient.Worker({ ...WORKER, queue: undefined as never })],
  ['handler', () => new workerClient.Worker({ ...WORKER, handler: undefined as never })],
  ['schema', () => new workerClient.Worker({ ...WORKER, schema: {} as never })],
  ['onEvent', () => new workerClient.Worker({ ...WORKER, onEvent: 'x' as never })],
  ['concurrency', () => new workerClient.Worker({ ...WORKER, concurrency: '4' as never })],
  ['store', () => new nodeClient.FenceGuard({} as never)],
  [
    'credentials.tokenEndpoint',
    () => nodeClient.clientCredentials({ tokenEndpoint: 'x', clientId: 'a', clientSecret: 'b' }),
  ],
  ['execution', () => nodeClient.isTerminal(undefined as never)],
])('%s is named by what takes it', (argument, make) => {
  expect(make).toThrow(nodeClient.ArgumentError);
  expect(make).toThrow(`${argument} is `);
});

test('the message shows no value: it may be a secret', async () => {
  const { client } = clientOf([]);
  await expect(client.secrets.set('name', 'hush' as never)).rejects.toThrow(
    /^secret is a string; expected an object$/,
  );
});
