import { randomUUID } from 'node:crypto';

import { startDynalite } from '../support/dynamo/dynalite';
import { openSdkBackend } from '../support/dynamo/sdk-backend';
import { describeStores } from './store.suite';

describeStores('dynalite', async () => {
  const { endpoint, stop } = await startDynalite();
  const backend = await openSdkBackend('conformance', endpoint);
  return {
    ...backend,
    async close() {
      await backend.close();
      await stop();
    },
  };
});

/**
 * Another DynamoDB, on demand: the URL of an emulator, or `aws` for the account and region of the
 * environment. The suite creates three tables there and deletes them at the end.
 */
const endpoint = process.env.QUARTERJACK_DYNAMODB_ENDPOINT;
if (endpoint) {
  const prefix = `quarterjack-conformance-${randomUUID().slice(0, 8)}`;
  describeStores(endpoint, () => openSdkBackend(prefix, endpoint === 'aws' ? undefined : endpoint));
}
