import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLocalBackend } from '../support/dynamo/local-backend';
import { describeStores } from './store.suite';

describe.each(['http', 'messages'] as const)('by %s', (transport) => {
  describeStores('the local run, with a journal on disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarterjack-tables-'));
    const backend = await openLocalBackend(folder, transport);
    return {
      ...backend,
      async close() {
        await backend.close();
        rmSync(folder, { recursive: true });
      },
    };
  });
});
