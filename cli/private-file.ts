import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';

import { CliError } from './exit-codes';

const OWNER_ONLY = 0o600;

/**
 * Writes a text that only the owner of the file may read. A file that exists is narrowed before the text is
 * in it: the mode of an opened file counts for a new one alone. A pipe or a device keeps its mode. Throws a
 * `CliError` if it cannot be written.
 */
export function writePrivateFile(path: string, text: string): void {
  try {
    write(path, text);
  } catch (cause) {
    throw new CliError(`${path} cannot be written: ${(cause as Error).message}`, undefined, { cause });
  }
}

function write(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, OWNER_ONLY);
  try {
    if (fstatSync(file).isFile()) {
      fchmodSync(file, OWNER_ONLY);
      ftruncateSync(file);
    }
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
