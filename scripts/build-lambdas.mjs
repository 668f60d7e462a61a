/**
 * Bundles every `lambdas/<stage>/handler.ts` into `dist/lambdas/<stage>/index.mjs` and the files that it loads, and
 * writes what each bundle is made of to `dist/lambdas/meta.json` (for https://esbuild.github.io/analyze/).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'lambdas');
const target = join(root, 'dist/lambdas');

const stages = readdirSync(source).filter((stage) => existsSync(join(source, stage, 'handler.ts')));

/** What hardly any start needs, and what would otherwise share its files: it has a bundle of its own beside the stage's. */
const APART = [{ stage: 'api', file: 'core/http/openapi/document.ts', out: 'open-api-document' }];

/** Imports of what is apart go to its bundle. */
const leaveOut = (apart) => ({
  name: 'leave-out',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/ }, ({ kind, resolveDir, path }) => {
      const found = apart.find(({ file }) => join(resolveDir, path) === join(source, file));
      return kind === 'dynamic-import' && found ? { path: `./${found.out}.mjs`, external: true } : undefined;
    }),
});

/**
 * A stage by itself, so that it shares its files with no other; what it imports only when it needs it is in files of its
 * own, which no cold start reads.
 */
const bundle = (stage, entry, apart = []) =>
  build({
    absWorkingDir: root,
    entryPoints: [entry],
    plugins: [leaveOut(apart)],
    outdir: join(target, stage),
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Some dependencies are CommonJS and call `require` for Node's own modules.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    legalComments: 'none',
    metafile: true,
    write: false,
  });

/** Two runs at once must not read each other's half-written files, and what is unchanged keeps its time. */
function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = join(target, `unfinished-${process.pid}`);
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}

const isEntry = ({ path }) => Number(path.endsWith('/index.mjs'));

/** Files of an earlier build would be deployed with those of this one. */
function removeOthers(folder, paths) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!paths.has(path)) rmSync(path, { force: true });
  }
}

async function bundlesOf(stage) {
  const apart = APART.filter((one) => one.stage === stage);
  return Promise.all([
    bundle(stage, { in: join(source, stage, 'handler.ts'), out: 'index' }, apart),
    ...apart.map(({ file, out }) => bundle(stage, { in: join(source, file), out })),
  ]);
}

const meta = { inputs: {}, outputs: {} };
const built = await Promise.all(stages.map(async (stage) => ({ stage, bundles: await bundlesOf(stage) })));
for (const { stage, bundles } of built) {
  const files = bundles.flatMap(({ outputFiles }) => outputFiles);
  // What is imported stands before those who import it: whoever copies the folder meanwhile finds nothing that is missing.
  const entriesLast = files.sort((a, b) => isEntry(a) - isEntry(b));
  for (const { path, contents } of entriesLast) writeIfChanged(path, Buffer.from(contents));
  removeOthers(join(target, stage), new Set(files.map(({ path }) => path)));
  for (const { metafile } of bundles) {
    Object.assign(meta.inputs, metafile.inputs);
    Object.assign(meta.outputs, metafile.outputs);
  }
}
writeIfChanged(join(target, 'meta.json'), Buffer.from(JSON.stringify(meta)));
