import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { tarballOf } from '../package/names.mjs';
import type { Packed } from './steps';

/** Builds the packages of a checkout. Moves their tarballs into a folder, and leaves nothing else in it. */
export function pack(root: string, folder: string, names: readonly string[], version: string): Packed[] {
  rmSync(folder, { recursive: true, force: true });
  const built = join(folder, 'built');
  mkdirSync(built, { recursive: true });
  execFileSync(process.execPath, [join(root, 'scripts/build-package.mjs'), '--pack', '--out', built], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const packed = names.map((name) => {
    const tarball = tarballOf(name, version);
    renameSync(join(built, tarball), join(folder, tarball));
    return { name, file: join(folder, tarball) };
  });
  rmSync(built, { recursive: true });
  return packed;
}

export function writeTemplates(root: string, folder: string): void {
  execFileSync('npm', ['run', '--silent', 'templates', '--', '--out', join(folder, 'templates')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** As registries write it. */
export const integrityOf = (file: string): string =>
  `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
