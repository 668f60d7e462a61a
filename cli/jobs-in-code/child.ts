import { writeSync } from 'node:fs';

import type { DefinedJob } from '../../client/jobs-in-code';
import { explain } from '../exit-codes';
import { loadModule } from './load-module';
import type { ManifestJob } from './manifest';
import { derivedSchema } from './payload-schema';
import type { ReadMessage } from './read-jobs';
import type { Reader } from './reading';

const RESULT = 3;

/** Reads a module, writes its jobs to the fourth stream, and ends, whatever the module has left open. */
export async function runReader(path: string, reader: Reader): Promise<never> {
  let message: ReadMessage;
  try {
    const { jobs, unexported } = await loadModule(path, reader);
    const unchecked = jobs.flatMap(({ id, definition, schema }) => {
      const { missing } = derivedSchema(definition, schema);
      return missing === undefined ? [] : [`${id}: ${missing}`];
    });
    message = { jobs: jobs.map(manifestJobOf), unexported, unchecked };
  } catch (error) {
    message = { error: explain(error) };
  }
  writeAll(JSON.stringify(message));
  process.exit(0);
}

export function manifestJobOf({ id, paused, definition, schema }: DefinedJob): ManifestJob {
  const { payloadSchema, schemaFrom } = derivedSchema(definition, schema);
  return {
    jobId: id,
    ...(paused !== undefined && { paused }),
    definition: { ...definition },
    ...(payloadSchema && { payloadSchema }),
    ...(schemaFrom !== 'none' && { schemaFrom }),
  };
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
