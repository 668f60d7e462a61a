/** What the builds share: the name of a state of sources, and files that replace others in one step. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A hash of files, of all files of folders, and of the version of Node.js. Paths are relative to `root`. */
export function sourceHash(paths) {
  const hash = createHash('sha256').update(process.version);
  const add = (path) => {
    const full = join(root, path);
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) add(join(path, name));
    else hash.update(`\0${path}\0`).update(readFileSync(full));
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

/** Whether the file `stamp` names the sources with this hash. */
export const isStamped = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/**
 * Replaces a file in one step, since another build may be reading it. An unchanged file keeps its
 * modification time.
 */
export function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = join(root, `dist/unfinished-${process.pid}`);
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}
