import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { CACHE_DIR } from './paths';

const LOCAL_DIR = join(__dirname, '..');

/**
 * Bundles the entry file of a worker thread into JavaScript and returns the bundle's path. A TypeScript
 * loader in every thread would double its start time. `source` is relative to `local/`; all imports except
 * Node's modules are bundled.
 */
export async function workerFile(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(LOCAL_DIR, source)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`no output for ${source}`);
  const directory = join(CACHE_DIR, 'workers');
  const file = join(directory, `${createHash('sha256').update(output.contents).digest('hex')}.cjs`);
  if (existsSync(file)) return file;
  mkdirSync(directory, { recursive: true });
  // Renamed into place: another run may be writing the same file now.
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, output.contents);
  renameSync(temporary, file);
  return file;
}
