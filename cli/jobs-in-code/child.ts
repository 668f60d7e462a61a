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
    const read = jobs.map(manifestJobOf);
    const unchecked = read.flatMap(({ job: { jobId }, missing }) =>
      missing === undefined ? [] : [`${jobId}: ${missing}`],
    );
    message = { jobs: read.map(({ job }) => job), unexported, unchecked };
  } catch (error) {
    message = { error: explain(error) };
  }
  writeAll(JSON.stringify(message));
  process.exit(0);
}

/** A job as a manifest has it. `missing`: why the server cannot check the payload of one with a schema. */
export function manifestJobOf({ id, paused, definition, schema }: DefinedJob): {
  job: ManifestJob;
  missing: string | undefined;
} {
  const { payloadSchema, schemaFrom, missing } = derivedSchema(definition, schema);
  const job = {
    jobId: id,
    ...(paused !== undefined && { paused }),
    definition: { ...definition },
    ...(payloadSchema && { payloadSchema }),
    ...(schemaFrom !== 'none' && { schemaFrom }),
  };
  return { job, missing };
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
