/**
 * Settings of the AWS SDK's clients. The SDK has no request timeout of its own: a socket that died while the
 * sandbox was frozen would block a call for minutes. Region and credentials come from the environment. The
 * SDK keeps sockets alive.
 */
const CONNECT_TIMEOUT_MS = 1_000;
const MAX_SOCKETS = 100;

/** Tries per call, the first one included. */
export const MAX_ATTEMPTS = 5;

/** Options of the SDK's HTTP handler. A request fails after `requestTimeout` milliseconds. */
export const handlerWith = (requestTimeout: number) => ({
  connectionTimeout: CONNECT_TIMEOUT_MS,
  requestTimeout,
  throwOnRequestTimeout: true, // otherwise the SDK only warns
  httpAgent: { maxSockets: MAX_SOCKETS },
  httpsAgent: { maxSockets: MAX_SOCKETS },
});
