const { default: Runtime } = require('jest-runtime');

/** Path → module, for all test files of this worker. */
const shared = new Map();
/** Path → module, for Jest's own modules. */
const internal = new Map();

/**
 * What runs anew for each test file: the file, its setup, and the part of Jest that collects tests. So does
 * the console, whose modules keep what a page shows.
 */
const RUNS_ANEW = /\.test\.ts$|\/test\/setup-[a-z]+\.js$|\/console\/|\/node_modules\/jest-circus\//;

/** The modules of one test file: those that it shares, and its own. */
class Modules extends Map {
  constructor(common) {
    super();
    this.common = common;
  }

  get(path) {
    return super.get(path) ?? this.common.get(path);
  }

  has(path) {
    return super.has(path) || this.common.has(path);
  }

  set(path, module) {
    if (RUNS_ANEW.test(path)) return super.set(path, module);
    this.common.set(path, module);
    return this;
  }

  delete(path) {
    return super.delete(path) || this.common.delete(path);
  }
}

/** The runtime of the test file that runs now. A module that loads another one later asks for it here. */
let current;

/**
 * Jest loads every module again for each test file. Most unit tests take less time than that, and longer
 * tests are faster with compiled code. Here, the test files of a worker share their modules. A file
 * that resets or mocks modules gets modules of its own.
 */
class SharedRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    this.testFile = args[6];
    this.registries.moduleRegistry = new Modules(shared);
    this.registries.internalModuleRegistry = new Modules(internal);
    current = this;
  }

  requireModuleOrMock(from, name) {
    return current === this ? super.requireModuleOrMock(from, name) : current.requireModuleOrMock(from, name);
  }

  resetModules() {
    super.resetModules();
    if (this.testFile) this.registries.moduleRegistry = new Map();
  }

  setMock(from, ...rest) {
    if (from === this.testFile) this.registries.moduleRegistry = new Map();
    super.setMock(from, ...rest);
  }
}

module.exports = { __esModule: true, default: SharedRuntime };
