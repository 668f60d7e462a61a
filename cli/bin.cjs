#!/usr/bin/env node
// A checkout bundles its sources once. A package has no sources, and runs the bundle built from them.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const source = join(__dirname, 'start.ts');
const built = ['quarterjack.cjs', '../dist/package/cli/quarterjack.cjs'].map((path) => join(__dirname, path));

if (existsSync(source)) {
  const { programFile } = require('../local/machine/program.cjs');
  programFile('cli/start.ts').then(
    (file) => require(file),
    (error) => {
      process.stderr.write(`quarterjack: ${error.stack}\n`);
      process.exitCode = 1;
    },
  );
} else {
  require(built.find(existsSync));
}
