const { TestEnvironment } = require('jest-environment-node');

require('./worker/compiled-code');
require('./worker/test-contexts');
const { schemaValidators } = require('./worker/schema-validators');

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.schemaValidators = schemaValidators;
  }
};
