/**
 * Builds the package that users install into `dist/package`. It has the client, the command line, and the CDK
 * construct with the bundles of its functions. Only the construct needs another package, the CDK of its
 * user. With `--pack`, also makes `dist/quarterjack-<version>.tgz`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { removeUnreachableDeclarations } from './package/declarations.mjs';
import { licensesOf } from './package/licenses.mjs';
import { zipOf } from './package/zip.mjs';

/** What users of the construct have: the program that makes a stack has one CDK. */
const PEERS = ['aws-cdk-lib', 'constructs'];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'dist/package');
rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, 'cli'), { recursive: true });

const common = {
  absWorkingDir: root,
  outdir: target,
  bundle: true,
  mainFields: ['module', 'main'],
  legalComments: 'none',
  metafile: true,
};
const nodeOptions = {
  ...common,
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  target: 'node20',
  format: 'cjs',
};
// One file for both `import` and `require`: with two, a program could meet two copies of each error class.
const forNode = await build({
  ...nodeOptions,
  entryPoints: [
    { in: 'client/index.ts', out: 'client/index' },
    { in: 'client/worker/index.ts', out: 'client/worker' },
  ],
});
const forStacks = await build({
  ...nodeOptions,
  entryPoints: [{ in: 'lib/index.ts', out: 'cdk/index' }],
  external: PEERS.flatMap((peer) => [peer, `${peer}/*`]),
  minify: true,
  keepNames: true,
});
const forTerminals = await build({
  ...nodeOptions,
  entryPoints: [{ in: 'cli/start.ts', out: 'cli/quarterjack' }],
  minify: true,
  keepNames: true,
});
const forBrowsers = await build({
  ...common,
  entryPoints: [{ in: 'client/browser.ts', out: 'client/browser' }],
  outExtension: { '.js': '.mjs' },
  platform: 'browser',
  target: 'es2023',
  format: 'esm',
});
const tsc = join(root, 'node_modules/typescript/bin/tsc');
for (const project of ['client/deliveries', 'lib'])
  execFileSync(process.execPath, [tsc, '-p', join(root, project), '--noEmit', 'false'], { stdio: 'inherit' });
removeUnreachableDeclarations(target, [
  'client/index.d.ts',
  'client/browser.d.ts',
  'client/worker/index.d.ts',
  'lib/index.d.ts',
]);
execFileSync(process.execPath, [join(root, 'scripts/build-lambdas.mjs')], { stdio: 'inherit' });
mkdirSync(join(target, 'cdk/lambdas'), { recursive: true });
for (const stage of readdirSync(join(root, 'dist/lambdas'), { withFileTypes: true }))
  if (stage.isDirectory())
    writeFileSync(
      join(target, 'cdk/lambdas', `${stage.name}.zip`),
      zipOf(join(root, 'dist/lambdas', stage.name)),
    );
// A quarter of this file is indentation by four spaces.
const schema = readFileSync(join(root, 'client/schema.d.ts'), 'utf8');
writeFileSync(
  join(target, 'client/schema.d.ts'),
  schema.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
);
copyFileSync(join(root, 'cli/bin.cjs'), join(target, 'cli/bin.cjs'));
const bundled = [forNode, forStacks, forTerminals, forBrowsers].flatMap(({ metafile }) =>
  Object.keys(metafile.inputs),
);
const ofFunctions = JSON.parse(readFileSync(join(root, 'dist/lambdas/meta.json'), 'utf8'));
writeFileSync(
  join(target, 'THIRD-PARTY-LICENSES.txt'),
  licensesOf(root, [...bundled, ...Object.keys(ofFunctions.inputs)]),
);
for (const file of ['scripts/package/README.md', 'LICENSE'])
  copyFileSync(join(root, file), join(target, basename(file)));

const { name, version, description, license, type, engines, dependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const CLIENT = {
  browser: { types: './client/browser.d.ts', default: './client/browser.mjs' },
  types: './client/index.d.ts',
  default: './client/index.cjs',
};
const manifest = {
  name,
  version,
  description,
  license,
  type,
  engines,
  bin: { quarterjack: 'cli/bin.cjs' },
  peerDependencies: Object.fromEntries(PEERS.map((peer) => [peer, `^${dependencies[peer]}`])),
  peerDependenciesMeta: Object.fromEntries(PEERS.map((peer) => [peer, { optional: true }])),
  exports: {
    '.': CLIENT,
    './client': CLIENT,
    './cdk': { types: './lib/index.d.ts', default: './cdk/index.cjs' },
    './worker': { types: './client/worker/index.d.ts', default: './client/worker.cjs' },
    './package.json': './package.json',
  },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

if (process.argv.includes('--pack'))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', join(root, 'dist')], {
    cwd: target,
    stdio: 'inherit',
  });
