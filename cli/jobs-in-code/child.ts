import { writeSync } from 'node:fs';

import { readModule } from '../../client/jobs-in-code/manifest-job';
import { explain } from '../exit-codes';
import { loadModule } from './load-module';
import type { ReadMessage } from './read-jobs';
import type { Reader } from './reading';

const RESULT = 3;

/** Reads a module, writes its jobs to the fourth stream, and ends, whatever the module has left open. */
export async function runReader(path: string, reader: Reader): Promise<never> {
  let message: ReadMessage;
  try {
    const { jobs, unexported } = await loadModule(path, reader);
    message = { ...readModule(jobs, jobs), unexported };
  } catch (error) {
    message = { error: explain(error) };
  }
  writeAll(JSON.stringify(message));
  process.exit(0);
}

/** A pipe may take only a part of a text. */
function writeAll(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(RESULT, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
