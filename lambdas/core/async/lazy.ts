import { cached } from './cached';

/**
 * What is loaded and made once, when it is first asked for: for what few invocations of a function need, so that its cold
 * starts do not pay for it. A load that failed is tried again.
 */
export const lazy = <Made>(make: () => Promise<Made>): (() => Promise<Made>) =>
  cached(Number.POSITIVE_INFINITY, { monotonicMs: () => 0 }, make);
