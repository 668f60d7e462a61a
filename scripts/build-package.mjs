/**
 * Builds what users install, client and command line, into `dist/package`: bundles that need no other package, and the
 * client's declarations. With `--pack` also `dist/quarterjack-<version>.tgz`.
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

// One file, whether it is imported or required: two copies would have two of every error class.
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    { in: 'client/index.ts', out: 'client/index' },
    { in: 'cli/start.ts', out: 'cli/quarterjack' },
  ],
  outdir: target,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  metafile: true,
});
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'client')], {
  stdio: 'inherit',
});
rmSync(join(target, 'client/connection.d.ts')); // of no public part, and it would ask for a package
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
    './client': { types: './client/index.d.ts', default: './client/index.cjs' },
    './package.json': './package.json',
  },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

if (process.argv.includes('--pack'))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', join(root, 'dist')], {
    cwd: target,
    stdio: 'inherit',
  });

/** The licence of every package that a bundle has something of. */
function thirdPartyLicenses() {
  const names = Object.keys(metafile.inputs)
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
