import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import { build } from 'esbuild';

import { root } from '../built-files.mjs';

/** Programs of the local run that a package starts. */
const PROGRAMS = ['local/cli.ts', 'local/issuer/token.ts', 'local/invoke/environment-worker.ts'];
/** Files that it serves, by the folder of the code that reads them. */
const SERVED = { 'local/pages': /\.(?:html|css|mjs)$/, 'local/issuer/sign-in': /\.css$/ };
/** What only a checkout loads, to build what a package has. */
const OF_CHECKOUT = ['esbuild', 'uplot'];

/**
 * Writes the local run into a folder, with the paths that it has in the checkout: its programs, and the files
 * that it serves. Adds the assembly of the `local` stage. Resolves to the inputs of the bundles.
 */
export async function writeLocalRun(folder) {
  const inputs = [];
  for (const entry of PROGRAMS) {
    const outfile = join(folder, entry.replace(/\.ts$/, '.cjs'));
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      minify: true,
      keepNames: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      mainFields: ['module', 'main'],
      external: OF_CHECKOUT,
      legalComments: 'none',
      metafile: true,
      plugins: [{ name: 'folders', setup: (plugin) => moveFolders(plugin, dirname(outfile), folder) }],
    });
    inputs.push(...Object.keys(metafile.inputs));
  }
  for (const [from, pattern] of Object.entries(SERVED))
    for (const file of readdirSync(join(root, from)).filter((name) => pattern.test(name)))
      cpSync(join(root, from, file), join(folder, from, file));
  for (const file of ['uPlot.min.css', 'uPlot.esm.js'])
    cpSync(join(root, 'node_modules/uplot/dist', file), join(folder, 'local/pages', file));
  await writeAssembly(join(folder, 'assembly'));
  return [...inputs, 'node_modules/uplot/'];
}

/** `__dirname` becomes the folder of the same path in the package. */
function moveFolders({ onLoad }, bundleFolder, folder) {
  onLoad({ filter: /[/\\]local[/\\].*\.(ts|cjs)$/ }, ({ path }) => {
    if (path.includes('node_modules')) return undefined;
    const moved = relative(bundleFolder, join(folder, relative(root, dirname(path))));
    const contents = readFileSync(path, 'utf8').replaceAll(
      /\b__dirname\b/g,
      `require('node:path').join(__dirname, ${JSON.stringify(moved)})`,
    );
    return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
  });
}

/** The template and its assets. Without what describes the app. */
async function writeAssembly(folder) {
  const require = createRequire(import.meta.url);
  const { programFile } = require('../../local/machine/program.cjs');
  const { synthesize } = require(await programFile('scripts/package/synthesize.ts'));
  const assembly = await synthesize({ onProgress: () => undefined });
  mkdirSync(folder);
  for (const name of readdirSync(assembly))
    if (/^(?:manifest\.json|asset\..*|.*\.(?:template|assets)\.json)$/.test(name))
      cpSync(join(assembly, name), join(folder, name), { recursive: true });
}
