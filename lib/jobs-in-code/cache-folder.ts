import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What is found from where a module is. */
export const requireFrom = (path: string): NodeJS.Require => createRequire(pathToFileURL(path));

/** A folder of the project of a module: what is in it finds the packages that the module finds. */
export function cacheFolder(entry: string): string {
  const [first = join(dirname(entry), 'node_modules')] = requireFrom(entry).resolve.paths('x') ?? [];
  const folder = join(first, '.cache/quarterjack');
  mkdirSync(folder, { recursive: true });
  return folder;
}
