import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { build, transform } from 'esbuild';

import { root } from '../built-files.mjs';
import { PEERS } from './manifests.mjs';

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  keepNames: true,
  mainFields: ['module', 'main'],
  legalComments: 'none',
  metafile: true,
};
const forNode = { ...common, platform: 'node', target: 'node20' };

const inputsOf = ({ metafile }) => Object.keys(metafile.inputs);

/**
 * The entries of the client: one CommonJS file each, for `import` and `require`, and what they share in
 * others. With two copies of an error class, `instanceof` would depend on which one a program has met.
 */
export async function bundleClient(folder) {
  // Only modules of ECMAScript can be split, so each is bundled as one, and translated.
  const modules = await build({
    ...forNode,
    // Errors have their names in a field, and code that sets those of classes is a twentieth of the bytes.
    keepNames: false,
    format: 'esm',
    splitting: true,
    chunkNames: 'shared-[hash]',
    entryPoints: [
      { in: 'client/index.ts', out: 'index' },
      { in: 'client/jobs-in-code/index.ts', out: 'jobs' },
      { in: 'client/worker/index.ts', out: 'worker' },
    ],
    outdir: folder,
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of modules.outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      minify: true,
    });
    writeFileSync(join(folder, basename(path)), code);
  }
  const browser = await build({
    ...common,
    // Names of classes are set by code, which bundlers have to keep also where nothing uses the class.
    keepNames: false,
    entryPoints: ['client/browser.ts'],
    outfile: join(folder, 'browser.mjs'),
    platform: 'browser',
    target: 'es2023',
    format: 'esm',
  });
  return [...inputsOf(modules), ...inputsOf(browser)];
}

/** The construct: one file, which takes the CDK of its user. */
export async function bundleConstruct(folder) {
  const external = PEERS.flatMap((peer) => [peer, `${peer}/*`]);
  return bundleOne('lib/index.ts', join(folder, 'index.js'), external);
}

export const bundleCommandLine = (folder) => bundleOne('cli/start.ts', join(folder, 'lib/quarterjack.cjs'));

async function bundleOne(entry, outfile, external = []) {
  mkdirSync(dirname(outfile), { recursive: true });
  return inputsOf(await build({ ...forNode, entryPoints: [entry], outfile, external, format: 'cjs' }));
}
