#!/usr/bin/env node
// A checkout bundles its sources once. A package has no sources, and runs the bundles built from them.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

/** Commands that are programs of their own: they run on this machine, and call no API. */
const LOCAL = { dev: 'local/cli.ts', token: 'local/issuer/token.ts' };

/** `dev` with a module of jobs calls the API too: it starts `dev` without one. */
const hasModule =
  process.argv[2] === 'dev' && process.argv.slice(3).some((one) => /^[^-:][^:]*\.[cm]?[jt]sx?$/.test(one));
const isLocal = Object.hasOwn(LOCAL, process.argv[2] ?? '') && !hasModule;
const local = isLocal ? LOCAL[process.argv[2]] : undefined;
if (local) process.argv.splice(2, 1);

if (!existsSync(join(__dirname, 'start.ts'))) {
  require(join(__dirname, 'lib', local ? local.replace(/\.ts$/, '.cjs') : 'quarterjack.cjs'));
} else {
  const { faultText, programFile } = require('../local/machine/program.cjs');
  programFile(local ?? 'cli/start.ts').then(
    (file) => require(file),
    (error) => {
      process.stderr.write(`quarterjack: ${faultText(error)}\n`);
      process.exitCode = 1;
    },
  );
}
