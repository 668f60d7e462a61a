/**
 * The SDK has no request time-out of its own: without one, a socket that died while the sandbox was frozen holds a call
 * for minutes. Region and credentials come from the environment. Sockets are kept alive by default.
 */
const CONNECT_TIMEOUT_MS = 1_000;
const MAX_SOCKETS = 100;

/** Tries of a call, the first one included. */
export const MAX_ATTEMPTS = 5;

/** The SDK's own HTTP handler, which gives up a request after `requestTimeout` milliseconds. */
export const handlerWith = (requestTimeout: number) => ({
  connectionTimeout: CONNECT_TIMEOUT_MS,
  requestTimeout,
  throwOnRequestTimeout: true, // else the SDK only warns
  httpAgent: { maxSockets: MAX_SOCKETS },
  httpsAgent: { maxSockets: MAX_SOCKETS },
});
