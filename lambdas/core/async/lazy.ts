import { cached } from './cached';

/**
 * Makes a value once, at its first use. It keeps code that few invocations need out of cold starts. A failed
 * load is repeated.
 */
export const lazy = <Made>(make: () => Promise<Made>): (() => Promise<Made>) =>
  cached(Number.POSITIVE_INFINITY, { monotonicMs: () => 0 }, make);
