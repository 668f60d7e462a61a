const { AsyncLocalStorage } = require('node:async_hooks');

const { TestEnvironment } = require('jest-environment-node');

/** What the files of this worker have run code in, since the last of them ended. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

/**
 * Jest makes an AsyncLocalStorage for each test file, and never disables it. Up to Node 22 every promise is entered into
 * every storage that is enabled, so a worker would get slower with each file: by half after a hundred of them.
 */
module.exports = class extends TestEnvironment {
  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
};
