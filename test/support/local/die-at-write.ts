import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Death } from './host-protocol';

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal arrives in a moment
}

/**
 * Makes the disk of this process slow, and one write of the journal its end. Nothing else here writes a
 * buffer at a position of a file.
 */
export async function dieAtWrite(at: { write: number; how: Death; syncMs: number }): Promise<undefined> {
  const { writeSync } = fs;
  let writes = 0;
  fs.writeSync = ((...given: unknown[]) => {
    const isOfJournal = typeof given[4] === 'number';
    if (isOfJournal) writes += 1;
    if (isOfJournal && writes === at.write && at.how === 'before') die();
    return writeSync(...(given as Parameters<typeof writeSync>));
  }) as typeof writeSync;

  const handle = await open(__filename);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const { datasync } = prototype;
  prototype.datasync = async function slowly(this: typeof handle) {
    if (writes >= at.write) die();
    await sleep(at.syncMs);
    await datasync.call(this);
  };
  return undefined;
}
