import { cached, cachedByKey, lazy } from '../../../../lambdas/core/async/cached';
import { FakeClock } from '../../../support/fake-clock';

const TTL_MS = 60_000;

describe('a cached value', () => {
  let clock: FakeClock;
  let reads: string[];
  let failure: Error | undefined;

  beforeEach(() => {
    clock = new FakeClock();
    reads = [];
    failure = undefined;
  });

  const read = async (key: string): Promise<string> => {
    reads.push(key);
    if (failure) throw failure;
    return `${key}${reads.length}`;
  };

  it('is read once for all who ask during the read, and again after its time', async () => {
    const get = cached(TTL_MS, clock, () => read('v'));
    expect(await Promise.all([get(), get()])).toEqual(['v1', 'v1']);
    await clock.advance(TTL_MS - 1);
    expect(await get()).toBe('v1');
    await clock.advance(1);
    expect(await get()).toBe('v2');
  });

  it('is read again where the sandbox was frozen, and its monotonic clock with it', async () => {
    const get = cached(TTL_MS, clock, () => read('v'));
    expect(await get()).toBe('v1');
    clock.stepWall(TTL_MS);
    expect(await get()).toBe('v2');
    clock.stepWall(-2 * TTL_MS);
    expect(await get()).toBe('v2');
    await clock.advance(TTL_MS);
    expect(await get()).toBe('v3');
  });

  it('is not kept where the read failed', async () => {
    const get = cached(TTL_MS, clock, () => read('v'));
    failure = new Error('no answer');
    await expect(Promise.all([get(), get()])).rejects.toThrow('no answer');
    failure = undefined;
    expect(await get()).toBe('v2');
  });

  it('is kept for each key by itself', async () => {
    const get = cachedByKey(read, { ttlMs: TTL_MS, clock });
    expect(await Promise.all([get('a'), get('b'), get('a')])).toEqual(['a1', 'b2', 'a1']);
  });

  it('makes room for new keys by dropping all', async () => {
    const get = cachedByKey(read, { ttlMs: TTL_MS, clock, maxKeys: 2 });
    for (const key of ['a', 'b', 'c', 'a']) await get(key);
    expect(reads).toEqual(['a', 'b', 'c', 'a']);
  });

  it('is used once more after its time where it cannot be read, and then read again', async () => {
    const get = cachedByKey(read, { ttlMs: TTL_MS, clock, isStaleOnError: true });
    failure = new Error('no answer');
    await expect(get('a')).rejects.toThrow('no answer');
    failure = undefined;
    expect(await get('a')).toBe('a2');
    await clock.advance(TTL_MS);
    failure = new Error('no answer');
    expect(await get('a')).toBe('a2');
    failure = undefined;
    expect(await get('a')).toBe('a4');
  });

  it('that is lazy is made once, when it is first asked for', async () => {
    const get = lazy(() => read('v'));
    expect(reads).toEqual([]);
    expect([await get(), await get()]).toEqual(['v1', 'v1']);
  });
});
