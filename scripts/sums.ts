import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The file with the sums of a folder. */
export const SUMS = 'SHA256SUMS';

export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Sums of all files below a folder, which `sha256sum --check SHA256SUMS` reads there. */
export function writeSums(folder: string): void {
  const sums = join(folder, SUMS);
  rmSync(sums, { force: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  writeFileSync(
    sums,
    files.map((file) => `${sha256(readFileSync(file))}  ${relative(folder, file)}\n`).join(''),
  );
}
