const Environment = require('../environment');

let kept;

/** A global of the CDK: constants of its modules, which files share, are some of these tokens. */
const CDK_TOKENS = '__cdkTokenMap';

/**
 * One environment for all test files of a worker that share modules: a module knows the globals of the
 * environment in which it was loaded. What a test file leaves behind is taken away: new globals, changed
 * environment variables, a faked clock.
 */
module.exports = class extends Environment {
  constructor(config, context) {
    if (kept) {
      Object.assign(kept.global, config.projectConfig.globals);
      return kept;
    }
    super(config, context);
    this.ownKeys = new Set([...Reflect.ownKeys(this.global), CDK_TOKENS]);
    this.env = { ...this.global.process.env };
    kept = this;
  }

  async teardown() {
    this.fakeTimersModern.useRealTimers();
    this.global.process.env = { ...this.env };
    for (const key of Reflect.ownKeys(this.global)) if (!this.ownKeys.has(key)) delete this.global[key];
  }
};
