import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/**
 * Writes a text that only the owner of the file may read. A file that exists is narrowed before the text is
 * in it: the mode of an opened file counts for a new one alone. A pipe or a device keeps its mode.
 */
export function writePrivateFile(path: string, text: string): void {
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
