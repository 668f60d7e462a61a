#!/usr/bin/env node
// A checkout runs its sources. A package has no sources, and runs the bundle built from them.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const source = join(__dirname, 'start.ts');
const built = ['quarterjack.cjs', '../dist/package/cli/quarterjack.cjs'].map((path) => join(__dirname, path));

if (existsSync(source)) {
  require('tsx/cjs');
  require(source);
} else {
  require(built.find(existsSync));
}
