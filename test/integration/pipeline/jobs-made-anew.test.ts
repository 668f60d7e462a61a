import { T0_MS } from '../../support/factories';
import { orderedWorld } from '../../support/ordered';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

describe('a job that is deleted and created anew does not go on with the work of the one before', () => {
  const none = { schedule: { type: 'none' } };
  const onEvent = { schedule: { type: 'event', name: 'paid', debounce: '2m' } };
  const retry = { maxAttempts: 5, initialDelay: '2m', maxDelay: '2m', jitter: 'none' };

  /** Keeps which targets are called. The first calls fail; `put` saves a job with the target of that name. */
  async function calledWorld(fails: number) {
    const world = await PipelineWorld.started(1);
    const called: string[] = [];
    let left = fails;
    world.observe = (_, target) => void called.push(target.type === 'http' ? target.url : target.type);
    world.behaviour = () =>
      left-- > 0 ? { outcome: 'retriable', statusCode: 500 } : { outcome: 'succeeded', statusCode: 200 };
    const put = async (name: string, fields: object) => {
      const target = { type: 'http', url: `https://${name}.example.com/` };
      expect((await world.api('putJob', { jobId: 'a' }, { target, retry, ...fields })).status).toBe(201);
      await world.run(10_000);
    };
    const remove = async () => {
      expect((await world.api('deleteJob', { jobId: 'a' })).status).toBe(204);
      await world.run(10_000);
    };
    const rows = () => world.executions({ userId: 'alice', jobId: 'a' });
    return { world, called, put, remove, rows };
  }
  const OLD = 'https://old.example.com/';
  const NEW = 'https://new.example.com/';
  const inHalfAMinute = { schedule: { type: 'at', at: new Date(T0_MS + 30_000).toISOString() } };

  test.each([
    ['an occurrence', inHalfAMinute],
    ['a manual run', none],
  ])('a retry of %s waits', async (_, fields) => {
    const { world, called, put, remove, rows } = await calledWorld(1);
    await put('old', fields);
    if (fields === none) await world.api('runJob', { jobId: 'a' });
    await world.run(40_000);
    await remove();
    await put('new', none);
    await world.run(5 * MINUTE_MS);
    expect(called).toEqual([OLD]);
    expect(rows()).toMatchObject([{ status: 'cancelled', reason: 'deleted' }]);
    const { execId } = rows()[0]!;
    expect((await world.api('retryExecution', { jobId: 'a', execId })).status).toBe(202);
    await world.run(MINUTE_MS);
    expect(called).toEqual([OLD, NEW]);
  });

  test('a restored job goes on', async () => {
    const { world, called, put, remove } = await calledWorld(1);
    await put('old', inHalfAMinute);
    await world.run(40_000);
    await world.api('patchJob', { jobId: 'a' }, none);
    await remove();
    expect((await world.api('restoreJob', { jobId: 'a', number: '2' })).status).toBe(201);
    await world.run(5 * MINUTE_MS);
    expect(called).toEqual([OLD, OLD]);
  });

  test('an event has opened a run', async () => {
    const { world, called, put, remove, rows } = await calledWorld(0);
    await put('old', onEvent);
    await world.api('sendEvent', {}, { name: 'paid' });
    await remove();
    await put('new', onEvent);
    await world.run(5 * MINUTE_MS);
    expect(called).toEqual([]);
    expect(rows()).toMatchObject([{ status: 'skipped', reason: 'deleted' }]);
  });

  /** A run of `a` waits behind one of `first`, for two minutes. Meanwhile `a` is deleted, and made anew. */
  async function madeAnewWhileItWaits(run: object) {
    const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'first' ? 120_000 : 1_000 }));
    const put = async (jobId: string) => {
      const target = { type: 'http', url: NEW, timeout: '5m' };
      const body = { ...none, target, timeout: '10m', orderingKey: 'customer/42' };
      expect((await world.api('putJob', { jobId }, body)).status).toBe(201);
    };
    await put('first');
    await put('a');
    await world.api('runJob', { jobId: 'first' });
    await world.run(10_000);
    await world.api('runJob', { jobId: 'a' }, run);
    await world.run(10_000);
    await world.api('deleteJob', { jobId: 'a' });
    await put('a');
    const ends = () => world.executions({ userId: 'alice', jobId: 'a' }).map(({ status }) => status);
    return { world, ends, called: () => spans.map(({ jobId }) => jobId) };
  }

  test.each([
    ['without a key', {}],
    ['with a key', { key: 'k' }],
  ])('a manual run %s waits behind another one', async (_, run) => {
    const { world, ends, called } = await madeAnewWhileItWaits(run);
    await world.run(5 * MINUTE_MS);
    expect(called()).toEqual(['first']);
    expect(ends()).toEqual(['cancelled']);
    expect((await world.api('runJob', { jobId: 'a' }, run)).status).toBe(202);
    await world.run(MINUTE_MS);
    expect(called()).toEqual(['first', 'a']);
  });

  test.each(['keep', 'replace'])(
    'a request with the key of such a run starts another: %s',
    async (onExisting) => {
      const { world, ends, called } = await madeAnewWhileItWaits({ key: 'k' });
      expect((await world.api('runJob', { jobId: 'a' }, { key: 'k', onExisting })).status).toBe(202);
      await world.run(5 * MINUTE_MS);
      expect(called()).toEqual(['first', 'a']);
      expect(ends()).toEqual(['skipped', 'succeeded']);
    },
  );

  test('an event that comes after it is its own, and so is one that is sent again', async () => {
    const { world, called, put, remove } = await calledWorld(0);
    await put('old', onEvent);
    await world.api('sendEvent', {}, { name: 'paid' });
    await world.api('sendEvent', {}, { name: 'seen', id: 'evt-1' });
    await remove();
    await put('new', onEvent);
    await world.api('sendEvent', {}, { name: 'paid' });
    await world.run(5 * MINUTE_MS);
    expect(called).toEqual([NEW]);
    await remove();
    await put('late', { schedule: { type: 'event', name: 'seen' } });
    await world.api('sendEvent', {}, { name: 'seen', id: 'evt-1' });
    await world.run(MINUTE_MS);
    expect(called).toEqual([NEW, 'https://late.example.com/']);
  });
});
