/**
 * Builds the console into `dist/lambdas/console/files`: its files, compressed, and `files.json`, which says
 * what each is. Without a change of its sources it does nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { hashOf, isStamped, root, writeIfChanged } from './built-files.mjs';

// Tests set it to `test`: then Vite would leave the checks of development in.
process.env.NODE_ENV = 'production';
const target = join(root, 'dist/lambdas/console/files');
/** Names the sources of the build that is in `target`. */
const stamp = join(root, 'dist/console-sources');

/** What ends up in the files of the console, or decides how they are built. */
const SOURCES = [
  'console',
  'client',
  'lambdas/core/schedule',
  'lambdas/core/clock/clock.ts',
  'scripts/build-console.mjs',
  'package-lock.json',
];

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compressed = (contents) => ({
  '.br': brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  '.gz': gzipSync(contents, { level: 9 }),
});

const tagOf = (contents) => `"${createHash('sha256').update(contents).digest('base64url').slice(0, 27)}"`;

/** The files that Vite makes, by path. */
async function bundle() {
  const { build } = await import('vite');
  const { output } = await build({ configFile: join(root, 'console/vite.config.ts'), logLevel: 'error' });
  return Object.fromEntries(
    output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  );
}

/** Files of an earlier build would be deployed too. */
function removeOthers(folder, paths) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !paths.has(path)) rmSync(path, { force: true });
  }
}

async function main() {
  const hash = hashOf(SOURCES);
  if (isStamped(stamp, hash) && existsSync(join(target, 'files.json'))) return;
  const files = await bundle();
  for (const name of readdirSync(join(root, 'console/public')))
    files[name] = readFileSync(join(root, 'console/public', name));
  const written = new Set();
  const write = (name, contents) => {
    const path = join(target, name);
    writeIfChanged(path, contents);
    written.add(path);
  };
  const known = {};
  // The page comes last: what it loads is there by then.
  const pageLast = Object.keys(files).sort((a, b) => Number(a === 'index.html') - Number(b === 'index.html'));
  for (const name of pageLast) {
    const type = TYPES[extname(name)];
    if (!type) throw new Error(`${name}: no content type is known for it`);
    known[name] = { type, etag: tagOf(files[name]) };
    write(name, files[name]);
    for (const [suffix, bytes] of Object.entries(compressed(files[name]))) write(name + suffix, bytes);
  }
  write('files.json', Buffer.from(JSON.stringify(known)));
  removeOthers(target, written);
  writeIfChanged(stamp, Buffer.from(hash));
}

await main();
