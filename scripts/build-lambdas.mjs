/**
 * Bundles every `lambdas/<stage>/handler.ts` into `dist/lambdas/<stage>/index.mjs`, all in one call of esbuild, and
 * writes what each bundle is made of to `dist/lambdas/meta.json` (for https://esbuild.github.io/analyze/).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'lambdas');
const target = join(root, 'dist/lambdas');

const stages = readdirSync(source).filter((stage) => existsSync(join(source, stage, 'handler.ts')));

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: stages.map((stage) => ({ in: join(source, stage, 'handler.ts'), out: `${stage}/index` })),
  outdir: target,
  outExtension: { '.js': '.mjs' },
  bundle: true,
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

for (const { path, contents } of outputFiles) writeIfChanged(path, Buffer.from(contents));
writeIfChanged(join(target, 'meta.json'), Buffer.from(JSON.stringify(metafile)));
