const { AsyncLocalStorage } = require('node:async_hooks');

const { TestEnvironment } = require('jest-environment-node');

require('./worker/compiled-code');
const { schemaValidators } = require('./worker/schema-validators');

/** The storages in which code of the current test file has run. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

/**
 * Jest creates an AsyncLocalStorage for each test file and never disables it. Up to Node 22, each promise is
 * entered into every enabled storage. So a worker would become slower with each file: by half after a hundred
 * files.
 */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.schemaValidators = schemaValidators;
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
};
