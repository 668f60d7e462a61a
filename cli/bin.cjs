#!/usr/bin/env node
// A checkout bundles its sources once. A package has no sources, and runs the bundle built from them.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const source = join(__dirname, 'start.ts');

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
  require('./lib/quarterjack.cjs');
}
