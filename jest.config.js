const { availableParallelism } = require('node:os');

const { V8_FLAGS } = require('./test/support/v8-flags.cjs');

// Jest's workers take these flags over.
process.execArgv.push(...V8_FLAGS);

/** Packages that are ES modules only and that a test can reach. Jest has to translate them. */
const esModules = ['@middy/', '@noble/', 'fauxqs/', 'jose/', 'oauth4webapi/'];

const SETUP = ['<rootDir>/test/setup-assertions.js', '<rootDir>/test/setup-properties.js'];

/**
 * The tests in one folder of `test/`. Its roots include the sources, so that `--changedSince` finds their
 * users.
 */
const project = (displayName, own = {}) => ({
  displayName,
  rootDir: __dirname,
  roots: ['bench', 'cli', 'client', 'console', 'lambdas', 'lib', 'local', 'scripts', 'site', 'test'].map(
    (dir) => `<rootDir>/${dir}`,
  ),
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/environment.js',
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')}))`],
  setupFiles: ['<rootDir>/test/setup-env.js'],
  setupFilesAfterEnv: SETUP,
  restoreMocks: true,
  ...own,
});

/** Test files of a worker load modules once for all of them. Only for tests that mock no package. */
const SHARED_MODULES = {
  runtime: '<rootDir>/test/worker/shared-modules.js',
  testEnvironment: '<rootDir>/test/worker/shared-environment.js',
};

/** For tests that play parts of the system on tables in memory. */
const WATCHED_ROWS = '<rootDir>/test/setup-rows.js';

/** Folders of `test/integration` whose tests start processes, or mock clients of AWS. */
const OWN_MODULES = '(cli|local|package|tools)';

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('unit', {
      ...SHARED_MODULES,
      setupFilesAfterEnv: [...SETUP, '<rootDir>/test/setup-unit.js', WATCHED_ROWS],
      globals: { unitTestLimitMs: process.env.QUARTERJACK_DEEP ? 600_000 : 20_000 },
    }),
    project('template', {
      ...SHARED_MODULES,
      setupFilesAfterEnv: [...SETUP, '<rootDir>/test/setup-template.js'],
    }),
    project('conformance', SHARED_MODULES),
    project('integration', {
      ...SHARED_MODULES,
      setupFilesAfterEnv: [...SETUP, WATCHED_ROWS],
      testMatch: [`<rootDir>/test/integration/!${OWN_MODULES}/**/*.test.ts`],
    }),
    project('integration', {
      testMatch: [`<rootDir>/test/integration/@${OWN_MODULES}/**/*.test.ts`],
    }),
    project('sdk'),
    project('simulation'),
    project('e2e'),
  ],
  testSequencer: '<rootDir>/test/sequencer.js',
  reporters: ['default', '<rootDir>/test/seconds-by-project.js', '<rootDir>/test/sdk/table-reporter.js'],
  // Four more than there are processors, because tests of whole runs mostly wait.
  maxWorkers: availableParallelism() + 4,
  // For one test. It ends what hangs, and is no bound: a busy machine needs ten times as long as an idle one.
  testTimeout: 300_000,
};
