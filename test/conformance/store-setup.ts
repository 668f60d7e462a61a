import { systemClock } from '../../lambdas/core/clock/system-clock';
import { type StoreParts, type Stores, storesOf } from '../../lambdas/core/platform/stores';
import type { DynamoBackend, FaultyClient } from '../support/dynamo/backend';

/** The stores under test, over one client that can be made to fail, and names that no other test uses. */
export interface StoreSetup extends Stores {
  client: FaultyClient;
  tables: DynamoBackend['tables'];
  /** The stores of another process. */
  another(): Stores;
  freshUser(): string;
  freshJobKey(): string;
  freshShard(): number;
}

/** Pauses between tries take no time. */
const noPause = { fraction: () => 0, id: () => 'unused' };

/** @param packs what the stores do with next entries that could share a row; absent: each has its own */
export function storeSetup(backend: DynamoBackend, packs?: StoreParts['packs']): StoreSetup {
  const client = backend.client();
  let fresh = packs ? 1_000 : 0; // of its own, beside stores of the other kind
  const stores = () =>
    storesOf({
      documents: client.documents,
      heartbeats: client.documents,
      tables: backend.tables,
      clock: systemClock,
      random: noPause,
      packs,
    });
  return {
    ...stores(),
    another: stores,
    client,
    tables: backend.tables,
    freshUser: () => `user-${fresh++}`,
    freshJobKey: () => `user-${fresh++}/job`,
    freshShard: () => fresh++,
  };
}
