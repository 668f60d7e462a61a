/**
 * Builds the packages that users install into `dist/packages`: the client, the command line, and the CDK
 * construct with the bundles of its functions. They have one version and no dependencies, except that the
 * construct needs the CDK of its user. With `--pack`, also makes a tarball of each. `--out DIR` is another
 * folder for them.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { root } from './built-files.mjs';
import { bundleClient, bundleCommandLine, bundleConstruct } from './package/bundles.mjs';
import { copyDeclarations } from './package/declarations.mjs';
import { flatSchema, typesNamedBy } from './package/flat-schema.mjs';
import { licensesOf, OF_CONSOLE } from './package/licenses.mjs';
import { writeLocalRun } from './package/local-run.mjs';
import { manifestsOf } from './package/manifests.mjs';
import { writeMoved } from './package/moved.mjs';
import { packagedChangelog } from './package/packaged-changelog.mjs';
import { zipOf } from './package/zip.mjs';

const { pack, out } = parseArgs({
  options: { pack: { type: 'boolean', default: false }, out: { type: 'string', default: 'dist/packages' } },
}).values;
const target = resolve(root, out);
const declarations = join(target, 'declarations');
const textOf = (path) => readFileSync(join(root, path), 'utf8');
const folderOf = (name) => join(target, name);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const inputs = {
  client: await bundleClient(folderOf('client')),
  cli: await bundleCommandLine(folderOf('cli')),
  cdk: await bundleConstruct(folderOf('cdk')),
};

writeDeclarations();
writeMoved(folderOf('client'), {
  client: Object.keys(createRequire(import.meta.url)(join(folderOf('client'), 'index.js'))),
  cdk: ['Quarterjack', 'ScheduledJob'],
});
copyFileSync(join(root, 'cli/bin.cjs'), join(folderOf('cli'), 'bin.cjs'));
inputs.cli.push(...(await writeLocalRun(join(folderOf('cli'), 'lib'))));

execFileSync(process.execPath, [join(root, 'scripts/build-lambdas.mjs')], { stdio: 'inherit' });
mkdirSync(join(folderOf('cdk'), 'lambdas'));
for (const stage of readdirSync(join(root, 'dist/lambdas'), { withFileTypes: true }))
  if (stage.isDirectory()) {
    const zip = zipOf(join(root, 'dist/lambdas', stage.name));
    writeFileSync(join(folderOf('cdk'), 'lambdas', `${stage.name}.zip`), zip);
  }
const ofFunctions = [...Object.keys(JSON.parse(textOf('dist/lambdas/meta.json')).inputs), ...OF_CONSOLE];
for (const name of ['cli', 'cdk']) inputs[name].push(...ofFunctions);

for (const [name, manifest] of Object.entries(manifestsOf(JSON.parse(textOf('package.json'))))) {
  const folder = folderOf(name);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licensesOf(root, inputs[name]));
  copyFileSync(join(root, 'scripts/package/readmes', `${name}.md`), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'CHANGELOG.md'), packagedChangelog(textOf('CHANGELOG.md'), manifest.version));
}
if (pack)
  execFileSync(
    'npm',
    ['pack', '--silent', '--pack-destination', target, ...Object.keys(inputs).map(folderOf)],
    {
      cwd: target,
      stdio: 'inherit',
    },
  );

/** Types of the public entries, and of what they name. */
function writeDeclarations() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  for (const project of ['client/deliveries', 'lib'])
    execFileSync(
      process.execPath,
      [tsc, '-p', join(root, project), '--noEmit', 'false', '--outDir', declarations],
      { stdio: 'inherit' },
    );
  const types = textOf('client/types.ts');
  const writeSchemaOf = (named) =>
    writeFileSync(join(declarations, 'client/schema.d.ts'), flatSchema(textOf('client/schema.d.ts'), named));
  const publish = (name, folder, entries) => {
    copyDeclarations(join(declarations, folder), join(folderOf(name), 'types'), Object.values(entries));
    for (const [entry, file] of Object.entries(entries)) {
      const path = `./types/${file.replace(/\.d\.ts$/, '')}${entry.endsWith('.mts') ? '.js' : ''}`;
      writeFileSync(join(folderOf(name), entry), `export * from '${path}';\n`);
    }
  };
  writeSchemaOf(types);
  publish('client', 'client', {
    'index.d.ts': 'index.d.ts',
    'jobs.d.ts': 'jobs-in-code/index.d.ts',
    'worker.d.ts': 'worker/index.d.ts',
    'browser.d.mts': 'browser.d.ts',
  });
  const ofConstruct = typesNamedBy(join(declarations, 'lib'), types);
  writeFileSync(join(declarations, 'client/types.d.ts'), ofConstruct);
  writeSchemaOf(ofConstruct);
  publish('cdk', '', { 'index.d.ts': 'lib/index.d.ts' });
  rmSync(declarations, { recursive: true });
}
