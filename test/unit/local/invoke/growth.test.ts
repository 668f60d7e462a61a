import { mayStart, type Waiting } from '../../../../local/invoke/growth';
import { ProcessorLoad, type Thread } from '../../../../local/invoke/processor-load';

const busy: Waiting = { environments: 3, starting: 0, workingShare: 0.9, waitedMs: 100, hasRoom: false };

test.each<[starts: boolean, when: string, waiting: Partial<Waiting>]>([
  [false, 'all processors are at work', {}],
  [true, 'a processor is free', { hasRoom: true }],
  [false, 'a processor is free, but an environment starts already', { hasRoom: true, starting: 1 }],
  [true, 'the environments wait for slow targets', { workingShare: 0.1 }],
  [true, 'the event has waited for five seconds', { waitedMs: 5_000 }],
  [true, 'the function has no environment', { environments: 0 }],
])('starts an environment: %s, when %s', (starts, _, waiting) => {
  expect(mayStart({ ...busy, ...waiting })).toBe(starts);
});

/** A thread that has worked and waited for so long. */
class SomeThread implements Thread {
  active = 0;
  idle = 0;
  isStarting = false;

  loopUtilization() {
    const { active, idle } = this;
    return this.isStarting ? ('starting' as const) : { active, idle, utilization: active / (active + idle) };
  }

  spend(active: number, idle: number): void {
    this.active += active;
    this.idle += idle;
  }
}

function loadOf(count: number) {
  let nowMs = 0;
  const load = new ProcessorLoad(1, () => nowMs);
  const threads = Array.from({ length: count }, () => new SomeThread());
  for (const thread of threads) load.add(thread);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { load, threads, pass };
}

test('processors are taken by as many threads as have worked in the last moments', () => {
  const { load, threads, pass } = loadOf(3);
  const [first, second, third] = threads as [SomeThread, SomeThread, SomeThread];
  first.spend(100, 900);
  load.hasRoom();
  for (const thread of threads) thread.spend(100, 0);
  pass(100);
  expect(load.hasRoom()).toBe(false);

  first.spend(60, 40);
  second.spend(30, 70);
  third.spend(0, 100);
  pass(100);
  expect(load.hasRoom()).toBe(true);
  expect(load.sharesOf([first, second])).toBeCloseTo(0.9);
});

test('a thread that starts takes a processor, and one that has ended takes none', () => {
  const { load, threads, pass } = loadOf(2);
  const [first, second] = threads as [SomeThread, SomeThread];
  first.isStarting = true;
  second.spend(100, 0);
  expect(load.hasRoom()).toBe(false);
  load.remove(first);
  pass(100);
  expect(load.hasRoom()).toBe(true);
});
