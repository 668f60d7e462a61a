/**
 * Flags for processes that run tests: more room for short-lived objects, and functions that are optimized
 * later, since tests run much code a few times. They save a quarter of the CPU.
 */
export const V8_FLAGS: readonly string[];
