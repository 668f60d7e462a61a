/* A unit test is one of thousands, which run at every change: what takes longer belongs in another project. */
const { existsSync, readFileSync } = require('node:fs');

const limitMs = globalThis.unitTestLimitMs;
// taken once: a test may fake the clock
const { hrtime } = process;

/** Where Linux says how long this thread was ready to run and had to wait for a processor, second of three numbers. */
const SCHEDULER = '/proc/self/schedstat';
const hasScheduler = existsSync(SCHEDULER);
const queuedNs = () => (hasScheduler ? BigInt(readFileSync(SCHEDULER, 'utf8').split(' ')[1]) : 0n);

/** Milliseconds without those in which the machine had no processor for this thread, so that a busy one fails no test. */
const nowMs = () => Number((hrtime.bigint() - queuedNs()) / 1_000_000n);

let startedMs;
beforeEach(() => {
  startedMs = nowMs();
});
afterEach(() => {
  const tookMs = nowMs() - startedMs;
  if (tookMs > limitMs) throw new Error(`took ${tookMs} ms, and a unit test may take ${limitMs} ms`);
});
