/**
 * Bundles every `lambdas/<stage>/handler.ts` into `dist/lambdas/<stage>/index.mjs` and the files that it
 * loads. Writes the contents of each bundle to `dist/lambdas/meta.json`, for
 * https://esbuild.github.io/analyze/. Builds the files of the console too. Without a change of the sources it
 * does nothing.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { hashOf, isStamped, root, writeIfChanged } from './built-files.mjs';

const source = join(root, 'lambdas');
const target = join(root, 'dist/lambdas');

/** Names the sources of the bundles that are in `target`. */
const stamp = join(root, 'dist/lambda-sources');

/** What ends up in the bundles, or decides how they are built. */
const SOURCES = ['lambdas', 'scripts/build-lambdas.mjs', 'tsconfig.json', 'package-lock.json'];

const stages = readdirSync(source).filter((stage) => existsSync(join(source, stage, 'handler.ts')));

/**
 * Modules that a stage loads only when it needs them, each as a separate bundle. As a part of the stage's
 * bundle, they would share files with it, and every cold start would read more.
 */
const SEPARATE = [{ stage: 'api', file: 'core/http/openapi/document.ts', out: 'open-api-document' }];

/** Modules of dependencies that load only in browsers: 34 kB in each stage that no process would read. */
const ONLY_IN_BROWSERS = ['bowser'];

/** Resolves dynamic imports of separate modules to their bundles. */
const leaveOut = (separate) => ({
  name: 'leave-out',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/ }, ({ kind, resolveDir, path }) => {
      const found = separate.find(({ file }) => join(resolveDir, path) === join(source, file));
      return kind === 'dynamic-import' && found ? { path: `./${found.out}.mjs`, external: true } : undefined;
    }),
});

/**
 * Modules of the SDK that no function in Lambda loads, each behind a dynamic import. They are sources of
 * credentials other than the environment, and streams of events, which no call here has.
 */
const NEVER_LOADED =
  /^(?:@aws-sdk\/credential-provider-(?:ini|login|process|sso|web-identity)|@smithy\/(?:credential-provider-imds|core\/event-streams))$/;

/** Replaces each by a module that throws. */
const leaveOutUnused = {
  name: 'leave-out-unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: NEVER_LOADED }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('${path} is not a part of this bundle: no function needs it');`,
    }));
  },
};

/**
 * Bundles one stage by itself, so that it shares no files with another stage. Its dynamic imports become
 * files of their own, which a cold start does not read.
 */
const bundle = (stage, entry, separate = []) =>
  build({
    absWorkingDir: root,
    entryPoints: [entry],
    external: ONLY_IN_BROWSERS,
    plugins: [leaveOut(separate), leaveOutUnused],
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
    // Some dependencies are CommonJS, and call `require` for modules of Node.js.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    legalComments: 'none',
    metafile: true,
    write: false,
  });

const isEntry = ({ path }) => Number(path.endsWith('/index.mjs'));

/** Removes the files of an earlier build, which would be deployed too. The folder of the console's stays. */
function removeOthers(folder, paths) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && !paths.has(path)) rmSync(path, { force: true });
  }
}

async function bundlesOf(stage) {
  const separate = SEPARATE.filter((one) => one.stage === stage);
  return Promise.all([
    bundle(stage, { in: join(source, stage, 'handler.ts'), out: 'index' }, separate),
    ...separate.map(({ file, out }) => bundle(stage, { in: join(source, file), out })),
  ]);
}

/** Whether all bundles of these sources are in their folders. */
function isBuilt(hash) {
  if (!isStamped(stamp, hash)) return false;
  const { outputs } = JSON.parse(readFileSync(join(target, 'meta.json'), 'utf8'));
  return Object.keys(outputs).every((path) => existsSync(join(root, path)));
}

async function buildStages() {
  const hash = hashOf(SOURCES);
  if (isBuilt(hash)) return;
  rmSync(stamp, { force: true }); // until all files are of these sources
  const meta = { inputs: {}, outputs: {} };
  const built = await Promise.all(stages.map(async (stage) => ({ stage, bundles: await bundlesOf(stage) })));
  for (const { stage, bundles } of built) {
    const files = bundles.flatMap(({ outputFiles }) => outputFiles);
    // An entry is written after the files that it imports, so that a copy of the folder made meanwhile is
    // complete.
    const entriesLast = files.sort((a, b) => isEntry(a) - isEntry(b));
    for (const { path, contents } of entriesLast) writeIfChanged(path, Buffer.from(contents));
    removeOthers(join(target, stage), new Set(files.map(({ path }) => path)));
    for (const { metafile } of bundles) {
      Object.assign(meta.inputs, metafile.inputs);
      Object.assign(meta.outputs, metafile.outputs);
    }
  }
  writeIfChanged(join(target, 'meta.json'), Buffer.from(JSON.stringify(meta)));
  writeIfChanged(stamp, Buffer.from(hash));
}

/** What actions of AWS take, as a layer has it. */
function copyActions() {
  const folder = join(root, 'actions');
  for (const name of readdirSync(folder))
    writeIfChanged(join(target, 'actions/actions', name), readFileSync(join(folder, name)));
}

copyActions();
await Promise.all([import('./build-console.mjs'), buildStages()]);
