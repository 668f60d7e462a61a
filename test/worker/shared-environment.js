const Environment = require('../environment');

let kept;

/**
 * One environment for all unit tests of a worker. They share modules, and a module knows the globals of the
 * environment in which it was loaded. What a test file leaves behind is taken away: new globals, changed
 * environment variables, a faked clock.
 */
module.exports = class extends Environment {
  constructor(...args) {
    if (kept) return kept;
    super(...args);
    this.ownKeys = new Set(Reflect.ownKeys(this.global));
    this.env = { ...this.global.process.env };
    kept = this;
  }

  async teardown() {
    this.fakeTimersModern.useRealTimers();
    this.global.process.env = { ...this.env };
    for (const key of Reflect.ownKeys(this.global)) if (!this.ownKeys.has(key)) delete this.global[key];
  }
};
