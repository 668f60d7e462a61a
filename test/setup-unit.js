/* A unit test is one of thousands, which run at every change: what takes longer belongs in another project. */
const limitMs = globalThis.unitTestLimitMs;

const { hrtime } = process; // taken once: a test may fake the clock
const nowMs = () => Number(hrtime.bigint() / 1_000_000n);

// Ends what waits; what computes is found out afterwards.
jest.setTimeout(limitMs);

let startedMs;
beforeEach(() => {
  startedMs = nowMs();
});
afterEach(() => {
  const tookMs = nowMs() - startedMs;
  if (tookMs > limitMs) throw new Error(`took ${tookMs} ms, and a unit test may take ${limitMs} ms`);
});
