/**
 * Builds the console once for each patch of `patches.json`, into `FOLDER/<rule>`. The sources stay as they
 * are.
 *
 *     node test/e2e/console/patches/build.mjs FOLDER
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

// The tests set it to `test`.
process.env.NODE_ENV = 'production';
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../../..');

/** A plugin that makes the edits of one patch, and counts them in `made`. */
const patching = (edits, made) => ({
  name: 'patch',
  enforce: 'pre',
  transform(code, id) {
    const own = edits.filter(({ file }) => id.split('?')[0] === join(root, file));
    if (own.length === 0) return undefined;
    let text = code;
    for (const edit of own) {
      if (text.split(edit.from).length !== 2) throw new Error(`${edit.file}: not once: ${edit.from}`);
      text = text.replace(edit.from, () => edit.to);
      made.add(edit);
    }
    return { code: text, map: null };
  },
});

async function buildPatched({ rule, edits }, folder) {
  const made = new Set();
  const { output } = await build({
    configFile: join(root, 'console/vite.config.ts'),
    logLevel: 'error',
    plugins: [patching(edits, made)],
    build: { minify: false, reportCompressedSize: false },
  });
  if (made.size !== edits.length) throw new Error(`rule ${rule}: the console has no file of an edit`);
  for (const file of output) {
    const path = join(folder, String(rule), file.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.type === 'chunk' ? file.code : file.source);
  }
}

const patches = JSON.parse(readFileSync(join(here, 'patches.json'), 'utf8'));
for (const patch of patches) await buildPatched(patch, process.argv[2]);
