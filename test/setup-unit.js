/*
 * Thousands of unit tests run at every change. A slower test belongs in another project. The limit allows for
 * a machine that is several times slower than most.
 */
const { existsSync, readFileSync } = require('node:fs');

const limitMs = globalThis.unitTestLimitMs;
// read once: a test may fake the clock
const { hrtime } = process;

/** On Linux, the second of three numbers is the time in ns for which this thread waited for a processor. */
const SCHEDULER = '/proc/self/schedstat';
const hasScheduler = existsSync(SCHEDULER);
const queuedNs = () => (hasScheduler ? BigInt(readFileSync(SCHEDULER, 'utf8').split(' ')[1]) : 0n);

/**
 * Milliseconds without the time that the thread waited for a processor, so that a busy machine fails no test.
 */
const nowMs = () => Number((hrtime.bigint() - queuedNs()) / 1_000_000n);

let startedMs;
beforeEach(() => {
  startedMs = nowMs();
});
afterEach(() => {
  const tookMs = nowMs() - startedMs;
  if (tookMs > limitMs) throw new Error(`took ${tookMs} ms, and a unit test may take ${limitMs} ms`);
});
