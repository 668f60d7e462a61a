/**
 * Builds the console with a patch, into a folder of its own: the sources stay as they are.
 *
 *     node test/support/console/build-patched.mjs '[{ "file", "from", "to" }]' FOLDER
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const [editsText, folder] = process.argv.slice(2);
const edits = JSON.parse(editsText);
const applied = new Set();

const patch = {
  name: 'patch',
  enforce: 'pre',
  transform(code, id) {
    let text = code;
    for (const edit of edits) {
      if (id.split('?')[0] !== join(root, edit.file)) continue;
      if (!text.includes(edit.from)) throw new Error(`${edit.file} has no ${edit.from}`);
      text = text.replace(edit.from, () => edit.to);
      applied.add(edit);
    }
    return text === code ? undefined : { code: text, map: null };
  },
};

const { output } = await build({
  configFile: join(root, 'console/vite.config.ts'),
  logLevel: 'error',
  plugins: [patch],
  build: { minify: false, reportCompressedSize: false },
});
if (applied.size !== edits.length) throw new Error('a file of the patch is in no build');
for (const file of output) {
  const path = join(folder, file.fileName);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file.type === 'chunk' ? file.code : file.source);
}
