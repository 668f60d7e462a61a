export { Attempt, type AttemptOptions, type Beat, type WorkOptions } from './deliveries/attempt';
export type { CallOptions, ChangeOptions, ConnectionOptions, CreateOptions } from './options';
export { FenceGuard, type FenceStore, MemoryFenceStore, StaleFenceError } from './deliveries/fence-guard';
export {
  type Delivery,
  type DeliveryHeaders,
  SignatureError,
  verifyDelivery,
  type VerifyOptions,
} from './deliveries/verify-delivery';
export * from './errors';
export { isTerminal, type WaitOptions, WaitTimeoutError } from './executions';
export { Listing, type Page } from './listing';
export { Quarterjack } from './quarterjack';
export { DEFAULT_RETRY, type RetryOptions, type RetrySurroundings } from './retrying-fetch';
export type * from './types';
