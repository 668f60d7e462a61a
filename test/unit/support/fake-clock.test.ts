import { FakeClock } from '../../support/fake-clock';

describe('FakeClock', () => {
  it('wakes sleepers in order of their time, then of falling asleep, at their very time', async () => {
    const clock = new FakeClock(1_000);
    const woken: [string, number][] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push([name, clock.nowMs()]);
    };
    void sleep('c', 30);
    void sleep('a', 10);
    void sleep('b', 10);
    await clock.advance(20);
    expect(woken).toEqual([
      ['a', 1_010],
      ['b', 1_010],
    ]);
    expect(clock.nowMs()).toBe(1_020);
    await clock.advance(10);
    expect(woken.at(-1)).toEqual(['c', 1_030]);
  });

  it('wakes within one advance who falls asleep during it', async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    void (async () => {
      for (let heartbeat = 0; heartbeat < 3; heartbeat++) {
        await clock.sleep(8_000);
        times.push(clock.monotonicMs());
      }
    })();
    await clock.advance(60_000);
    expect(times).toEqual([8_000, 16_000, 24_000]);
  });

  it('ends a sleep that is aborted, and forgets it', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const sleeping = clock.sleep(1_000, abort.signal);
    expect(clock.sleeping).toBe(1);
    abort.abort();
    await sleeping;
    expect(clock.sleeping).toBe(0);
    await clock.sleep(1_000, abort.signal);
    await clock.sleep(0);
    await clock.sleep(-5);
  });

  it('settles work by moving time, and says when it waits for something else', async () => {
    const clock = new FakeClock();
    const work = async () => {
      await clock.sleep(5_000);
      await clock.sleep(7_000);
      return 'done';
    };
    expect(await clock.settle(work())).toBe('done');
    expect(clock.monotonicMs()).toBe(12_000);
    await expect(clock.settle(new Promise(() => undefined))).rejects.toThrow(/no sleeper/);
    await expect(clock.settle(Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('steps the wall alone, and shows another machine its own', async () => {
    const clock = new FakeClock(0);
    const ahead = clock.skewed(5_000);
    let woken = false;
    void clock.sleep(10).then(() => (woken = true));
    clock.stepWall(-3_600_000);
    expect([clock.nowMs(), ahead.nowMs(), ahead.monotonicMs()]).toEqual([-3_600_000, -3_595_000, 0]);
    await clock.flush();
    expect(woken).toBe(false);
  });
});
