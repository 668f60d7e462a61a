import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { HistoryArchive } from '../store/history-archive';

/**
 * Files in a folder, for the local run. A file is whole, or is not there.
 *
 * @param to `file:///FOLDER/`
 */
export const folderArchive = (to: string): HistoryArchive => ({
  async put(name, body) {
    const path = join(fileURLToPath(to), name);
    await mkdir(dirname(path), { recursive: true });
    const unfinished = `${path}.part`;
    await writeFile(unfinished, body);
    await rename(unfinished, path);
  },
});
