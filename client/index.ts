/**
 * The whole client, for Node.js: the calls of the API, what receives deliveries, and sign-in with a secret.
 *
 * Browsers get `browser.ts` under the same name, through the export condition `browser`. A sub-path for
 * deliveries would have broken every receiver that imports `verifyDelivery` from here. A page has no use for
 * them: it cannot receive a delivery, and must not know the signing secret.
 */
export * from './browser';
export { clientCredentials, type ClientCredentials } from './client-credentials';
export {
  Attempt,
  type AttemptOptions,
  CallbackError,
  type HeartbeatResult,
  type WorkOptions,
} from './deliveries/attempt';
export { FenceGuard, type FenceStore, MemoryFenceStore, StaleFenceError } from './deliveries/fence-guard';
export {
  type Delivery,
  type LegacyDelivery,
  SignatureError,
  type VerifyOptions,
} from './deliveries/delivery';
export type { DeliveryHeaders } from './deliveries/delivery-headers';
export { verifyDelivery } from './deliveries/verify-delivery';
