import { openMemoryBackend } from '../support/dynamo/memory-backend';
import { describeStores } from './store.suite';

describeStores('memory, which returns the row of a failed condition as AWS does', () =>
  openMemoryBackend({ allOld: true }),
);
describeStores('memory, which does not, as some emulators', () => openMemoryBackend({ allOld: false }));
describeStores('memory with small pages', () => openMemoryBackend({ pageBytes: 600 }));
