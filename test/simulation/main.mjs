/**
 * Bundles the simulation, and runs its command line. Compiled once and without a loader, a seed takes much
 * less CPU than under tsx or Jest.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache');

mkdirSync(cache, { recursive: true });
// Each process has a bundle of its own, since several may run side by side.
const outfile = join(cache, `simulation-${process.pid}.cjs`);
buildSync({
  absWorkingDir: root,
  entryPoints: ['test/simulation/cli.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // The memory tables know a command of the SDK by the name of its class, so these classes keep theirs.
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'warning',
});
process.setSourceMapsEnabled(true);
try {
  createRequire(import.meta.url)(outfile);
} finally {
  rmSync(outfile);
}
