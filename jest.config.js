/** Packages that are ES modules only, which Jest has to translate; every one that a test can reach. */
const esModules = ['@middy/', 'fauxqs/', 'jose/'];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
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
  restoreMocks: true,
  // Of one test. Those that start a whole run need seconds on a busy machine with two cores.
  testTimeout: 20_000,
};
