const { join } = require('node:path');

const { projects, ...usual } = require('../../jest.config');

const withFault = (transform) =>
  Object.fromEntries(
    Object.entries(transform).map(([pattern, [, options]]) => [
      pattern,
      ['<rootDir>/test/mutants/transform.js', options],
    ]),
  );

/**
 * The projects as they are, with a transformer that can put a fault into one file.
 * @type {import('jest').Config}
 */
module.exports = {
  ...usual,
  rootDir: join(__dirname, '../..'),
  projects: projects.map((project) => ({ ...project, transform: withFault(project.transform) })),
};
