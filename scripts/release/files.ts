import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
    const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
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

const digest = (algorithm: string, file: string, encoding: 'hex' | 'base64'): string =>
  createHash(algorithm).update(readFileSync(file)).digest(encoding);

/** As registries write it. */
export const integrityOf = (file: string): string => `sha512-${digest('sha512', file, 'base64')}`;

/** `sha256sum --check SHA256SUMS` in the folder reads it. */
export function writeSums(folder: string): void {
  const sums = join(folder, 'SHA256SUMS');
  rmSync(sums, { force: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
  writeFileSync(
    sums,
    files.map((file) => `${digest('sha256', join(folder, file), 'hex')}  ${file}\n`).join(''),
  );
}
