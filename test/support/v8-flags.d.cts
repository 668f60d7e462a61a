/**
 * Flags for processes that run tests: more room for short-lived objects, and functions that are optimized
 * later, since tests run much code a few times. They save a quarter of the CPU.
 */
export const V8_FLAGS: readonly string[];

/** Flags for local runs, which mostly wait in tests: they save a tenth of the CPU of a start. */
export const V8_FLAGS_OF_RUNS: readonly string[];
