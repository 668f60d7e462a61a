/**
 * Builds the package that users install into `dist/package`: the client, its declarations, and the command
 * line. The bundles depend on no other package. With `--pack`, also makes `dist/quarterjack-<version>.tgz`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

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
// One file for both `import` and `require`: with two, a program could meet two copies of each error class.
const forNode = await build({
  ...common,
  entryPoints: [
    { in: 'client/index.ts', out: 'client/index' },
    { in: 'client/worker/index.ts', out: 'client/worker' },
    { in: 'cli/start.ts', out: 'cli/quarterjack' },
  ],
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  target: 'node20',
  format: 'cjs',
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
execFileSync(process.execPath, [tsc, '-p', join(root, 'client/deliveries'), '--noEmit', 'false'], {
  stdio: 'inherit',
});
// No public declaration needs this one, and it would import a package.
rmSync(join(target, 'client/connection.d.ts'));
copyFileSync(join(root, 'client/schema.d.ts'), join(target, 'client/schema.d.ts'));
copyFileSync(join(root, 'cli/bin.cjs'), join(target, 'cli/bin.cjs'));
writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses());
for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(target, file));

const { name, version, description, license, type, engines } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const manifest = {
  name,
  version,
  description,
  license,
  type,
  engines,
  bin: { quarterjack: 'cli/bin.cjs' },
  exports: {
    './client': {
      browser: { types: './client/browser.d.ts', default: './client/browser.mjs' },
      types: './client/index.d.ts',
      default: './client/index.cjs',
    },
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

/** The licence of every package that a bundle contains code from. */
function thirdPartyLicenses() {
  const names = [forNode, forBrowsers]
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((one) => one !== undefined);
  return [...new Set(names)]
    .toSorted()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(packageName) {
  const directory = join(root, 'node_modules', packageName);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(directory, file), 'utf8') : '';
  return `${packageName} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`;
}
