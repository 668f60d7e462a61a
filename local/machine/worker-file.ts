import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { CACHE_DIR } from './paths';

/**
 * JavaScript of a worker thread's entry, to be started without a TypeScript loader: that would cost every new thread
 * about as long as everything else it does. `source` is relative to this folder; Node's own modules apart, what it
 * imports becomes part of the file.
 */
export async function workerFile(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, '..', source)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`no output for ${source}`);
  const file = join(
    CACHE_DIR,
    'workers',
    `${createHash('sha256').update(output.contents).digest('hex')}.cjs`,
  );
  if (existsSync(file)) return file;
  mkdirSync(join(CACHE_DIR, 'workers'), { recursive: true });
  // Another run may be writing the same file now.
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, output.contents);
  renameSync(temporary, file);
  return file;
}
