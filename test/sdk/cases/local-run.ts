import { type RunningSystem, startSystem } from '../../support/local-run';
import type { Driver } from '../suite/driver';
import { newRelay } from '../suite/relay';
import type { Own, Sdk } from '../suite/sdk';
import { startWorker, type Step } from './working';

const TEXT = 'Grüße, 日本語 🎉 " \\';
const QUICK = { baseDelayMs: 1, maxDelayMs: 5_000 };

/** Starts the run when the first case needs it: a language that is not here needs none. */
let starting: Promise<RunningSystem> | undefined;
const started = (): Promise<RunningSystem> => (starting ??= startSystem('--port', '0', '--ephemeral'));

/** A client of the local run, for a user whose project no other case has. */
async function clientOf(driver: Driver, { name: client }: Own, more: object = {}) {
  const { url, token } = await started();
  const scope = 'jobs:read jobs:write project:admin work';
  const given = await token(client, scope);
  await driver.do({ do: 'open', client, url, token: given, retry: QUICK, ...more });
  return (method: string, args: object = {}) => driver.do({ do: 'call', client, method, args });
}

type Call = Awaited<ReturnType<typeof clientOf>>;

/** A job of a queue, a worker with a key for that queue, and one execution of the job. */
async function worked(sdk: Sdk, driver: Driver, own: Own, call: Call, steps: readonly Step[]) {
  const { name: queue } = own;
  const target = { type: 'worker', queue, heartbeatTimeout: '15s' };
  await call('jobs.create', {
    definition: { jobId: queue, schedule: { type: 'none' }, target, payload: { TEXT } },
  });
  const { key } = await call('apiKeys.create', { key: { name: queue, role: 'worker', queues: [queue] } });
  const start = (one: Driver, all = steps) => work(sdk, one, own, key as string, all);
  await start(driver);
  const { execId } = await call('jobs.run', { jobId: queue });
  const ids = { jobId: queue, execId: execId as string };
  return { ids, start, wait: () => call('executions.wait', ids), get: () => call('executions.get', ids) };
}

async function work(
  sdk: Sdk,
  driver: Driver,
  own: Own,
  token: string,
  steps: readonly Step[],
): Promise<void> {
  const { url } = await started();
  await startWorker(sdk, driver, own, { url }, { token, queue: own.name, steps });
}

/** The SDK and the whole system together. */
export function localRunCases(sdk: Sdk): void {
  // A case that waits may have started it before.
  afterAll(async () => {
    await (await starting)?.end();
    starting = undefined;
  }, 120_000);

  describe('a local run', () => {
    sdk.test('work is claimed by an API key, logged and completed', async (driver, own) => {
      const call = await clientOf(driver, own);
      const steps = [
        { log: TEXT },
        { log: 'x'.repeat(100_000) },
        { log: 'oh', stream: 'stderr' },
        { echo: true },
      ];
      const { ids, wait } = await worked(sdk, driver, own, call, steps);
      const execution = await wait();
      expect(execution).toMatchObject({
        status: 'succeeded',
        attempts: [{ attempt: 1, outcome: 'succeeded' }],
      });
      expect(JSON.parse(execution.result.body)).toEqual({ TEXT });
      const { items } = (await call('executions.log', ids)) as { items: { stream: string; text: string }[] };
      expect(items[0]).toMatchObject({ stream: 'stdout', text: TEXT });
      expect(items.at(-1)).toMatchObject({ stream: 'stderr', text: 'oh' });
      expect(
        items
          .slice(1, -1)
          .map(({ text }) => text)
          .join(''),
      ).toBe('x'.repeat(100_000));
    });

    sdk.waits('cancellation reaches a handler that works', async (driver, own) => {
      const call = await clientOf(driver, own);
      const steps = [{ emit: 'began' }, { untilStopped: 'throw' }];
      const { ids, wait } = await worked(sdk, driver, own, call, steps);
      await driver.sees({ event: 'step', jobId: own.name, name: 'began' });
      await call('executions.cancel', ids);
      expect(await driver.sees({ event: 'stopping', jobId: own.name })).toMatchObject({
        reason: 'cancelled',
      });
      expect(await wait()).toMatchObject({ status: 'cancelled' });
    });

    sdk.waits('another worker takes over from one that was killed', async (driver, own) => {
      const call = await clientOf(driver, own);
      const killed = sdk.newDriver();
      const began = [{ emit: 'began' }, { gate: 'never' }];
      const { start, wait } = await worked(sdk, killed, own, call, began);
      const { fence } = await killed.sees({ event: 'step', name: 'began' });
      await killed.kill();
      await start(driver, [{ emit: 'again' }, { return: 'taken over' }]);
      const again = await driver.sees({ event: 'step', jobId: own.name, name: 'again' });
      expect(again.fence).toBeGreaterThan(fence as number);
      expect(await wait()).toMatchObject({ status: 'succeeded', result: { body: 'taken over' } });
    });

    sdk.test('a delivery is verified, served, and its result kept', async (driver, own) => {
      const call = await clientOf(driver, own);
      const { serves } = await driver.sees({ event: 'ready' });
      for (const [index, as] of (serves as string[]).entries())
        await served(sdk, driver, { name: `${own.name}-${index}` }, call, as);
    });

    sdk.test('errors of the API are what they say', async (driver, own) => {
      const call = await clientOf(driver, own);
      const definition = { jobId: 'a', schedule: { type: 'none' }, target: { type: 'worker', queue: 'q' } };
      const { etag } = await call('jobs.create', { definition });
      await expect(call('jobs.create', { definition })).rejects.toMatchObject({
        kind: 'conflict',
        status: 409,
      });
      await expect(call('jobs.get', { jobId: 'b' })).rejects.toMatchObject({
        kind: 'not-found',
        status: 404,
      });
      const odd = { ...definition, jobId: 'c', schedule: { type: 'cron', expression: 'soon' } };
      await expect(call('jobs.create', { definition: odd })).rejects.toMatchObject({
        ...{ kind: 'validation', requestId: expect.stringMatching(/./) },
        errors: [{ path: expect.stringContaining('schedule') }],
      });
      expect(
        await call('jobs.put', { jobId: 'a', definition: { ...definition, timeout: '1m' }, ifMatch: etag }),
      ).toMatchObject({ timeout: '1m' });
      const late = call('jobs.put', { jobId: 'a', definition, ifMatch: etag });
      await expect(late).rejects.toMatchObject({ kind: 'conflict', status: 412 });
      await driver.do({ do: 'open', client: own.name, url: (await started()).url, token: 'none' });
      await expect(call('jobs.get', { jobId: 'a' })).rejects.toMatchObject({ kind: 'authentication' });
    });

    writeCases(sdk);
  });
}

/** A delivery that comes through a relay: its host is known before the program is served. */
async function served(sdk: Sdk, driver: Driver, own: Own, call: Call, as: string): Promise<void> {
  const relay = await newRelay('http://127.0.0.1:1');
  sdk.after(() => relay.stop());
  const { secret } = await call('signingSecret', { host: new URL(relay.url).host });
  const jobs = [{ id: own.name, steps: [{ echo: true }] }];
  const { url } = await driver.do({ do: 'serve', name: own.name, as, secrets: [secret], jobs });
  relay.to = url as string;
  const target = { type: 'http', url: `${relay.url}/hook` };
  const definition = { jobId: own.name, schedule: { type: 'none' }, target, payload: { TEXT } };
  await call('jobs.create', { definition });
  const { execId } = await call('jobs.run', { jobId: own.name });
  const execution = await call('executions.wait', { jobId: own.name, execId });
  expect(execution).toMatchObject({ status: 'succeeded', result: { statusCode: 200 } });
  expect(JSON.parse(execution.result.body)).toEqual({ TEXT });
}

function writeCases(sdk: Sdk): void {
  sdk.test('what was written is not written twice if its answer is lost', async (driver, own) => {
    const relay = await newRelay((await started()).url);
    sdk.after(() => relay.stop());
    const call = await clientOf(driver, own, { url: relay.url });
    let last = '';
    relay.loses = (method, path) => {
      const isFirst = method === 'POST' && path !== last;
      last = path;
      return isFirst;
    };
    const target = { type: 'worker', queue: own.name };
    const definition = { schedule: { type: 'none' }, target };
    const { jobId } = await call('jobs.create', { definition });
    const { execId } = await call('jobs.run', { jobId });
    expect(((await call('jobs.list')) as { jobId: string }[]).map((one) => one.jobId)).toEqual([jobId]);
    const runs = (await call('executions.list', { jobId })) as { execId: string }[];
    expect(runs.map((one) => one.execId)).toEqual([execId]);
    expect(relay.lost).toBe(2);
  });

  sdk.test('a list has each job once, however small its pages', async (driver, own) => {
    const call = await clientOf(driver, own);
    const ids = Array.from({ length: 30 }, (_, index) => `job-${String(index).padStart(2, '0')}`);
    const target = { type: 'worker', queue: own.name };
    const jobs = ids.map((jobId) => ({ jobId, schedule: { type: 'none' }, target, name: TEXT }));
    await call('jobs.createBatch', { jobs });
    const listed = (await call('jobs.list', { filter: { limit: 7 } })) as { jobId: string; name: string }[];
    expect(listed.map(({ jobId }) => jobId)).toEqual(ids);
    expect(listed[0]!.name).toBe(TEXT);
  });

  sdk.test('a run with a key is one run, and can be cancelled by it', async (driver, own) => {
    const call = await clientOf(driver, own);
    const target = { type: 'worker', queue: own.name };
    await call('jobs.create', { definition: { jobId: 'a', schedule: { type: 'none' }, target } });
    const request = { key: `${TEXT}/..`, delay: '1h' };
    const first = await call('jobs.run', { jobId: 'a', request });
    const second = await call('jobs.run', { jobId: 'a', request: { ...request, delay: '2h' } });
    expect([first.created, second.created, second.execId]).toEqual([true, false, first.execId]);
    const cancel = (key: string) => call('jobs.cancelRun', { jobId: 'a', key });
    expect(await cancel(request.key)).toMatchObject({ outcome: 'cancelled', execId: first.execId });
    expect(await cancel('another')).toMatchObject({ outcome: 'unknown' });
  });

  sdk.test('an event starts what waits for it, and a paused job does not', async (driver, own) => {
    const call = await clientOf(driver, own);
    const target = { type: 'worker', queue: own.name };
    const schedule = { type: 'event', name: 'order.paid' };
    for (const jobId of ['a', 'b']) await call('jobs.create', { definition: { jobId, schedule, target } });
    expect(await call('jobs.pause', { jobId: 'b' })).toMatchObject({ status: 'paused' });
    const { runs } = await call('sendEvent', { event: { name: 'order.paid', data: { TEXT } } });
    expect((runs as { jobId: string }[]).map(({ jobId }) => jobId)).toContain('a');
    expect(await call('executions.list', { jobId: 'a' })).toMatchObject([{ trigger: 'event' }]);
    expect(await call('jobs.resume', { jobId: 'b' })).toMatchObject({ status: 'active' });
  });
}
