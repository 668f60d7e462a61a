/** What the builds share: whether the sources have changed, and files that replace others in one step. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { sourceHash } from '../local/machine/source-hash.cjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** These files decide what the builds do, too. */
const HERE = ['scripts/built-files.mjs', 'local/machine/source-hash.cjs'];

/** Names the present state of files and folders, whose paths are relative to `root`. */
export const hashOf = (paths) => sourceHash(root, [...paths, ...HERE]);

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
