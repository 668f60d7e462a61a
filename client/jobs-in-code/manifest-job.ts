import { QuarterjackError } from '../errors';
import type { DefinedJob } from './defined-job';
import { derivedSchema, type SchemaSource } from './payload-schema';

/** A job as a manifest has it. */
export interface ManifestJob {
  jobId: string;
  paused?: boolean;
  /** The body of `PUT /v1/jobs/{jobId}` without what is called. */
  definition: Record<string, unknown>;
  /** What the server checks payloads by, if the definition does not say it. */
  payloadSchema?: Record<string, unknown>;
  /** Other languages may leave it out. */
  schemaFrom?: SchemaSource;
}

/** What a module defines, as those who deploy it need it. */
export interface ReadModule {
  jobs: ManifestJob[];
  /** Ids of jobs that do not count. */
  unexported: string[];
  /** Jobs whose payload the server cannot check, each with the reason. */
  withoutSchema: string[];
}

/** `exported` is what the module exports, and `defined` all jobs of the process. */
export function readModule(exported: readonly unknown[], defined: readonly DefinedJob[]): ReadModule {
  const { jobs, unexported } = exportedJobs(exported, defined);
  const read = jobs.map(manifestJobOf);
  const withoutSchema = read.flatMap(({ job: { jobId }, missing }) =>
    missing === undefined ? [] : [`${jobId}: ${missing}`],
  );
  return { jobs: read.map(({ job }) => job), unexported, withoutSchema };
}

/** The jobs among the exports, and the ids of the others. Throws a `QuarterjackError` for two of one id. */
export function exportedJobs(
  exported: readonly unknown[],
  defined: readonly DefinedJob[],
): { jobs: DefinedJob[]; unexported: string[] } {
  const known = new Set<unknown>(defined);
  const jobs = [...new Set(exported)].filter((one): one is DefinedJob => known.has(one));
  const ids = jobs.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new QuarterjackError(`two jobs have the id ${repeated}`);
  const unexported = defined.filter((one) => !jobs.includes(one)).map(({ id }) => id);
  return { jobs, unexported };
}

/** `missing`: why the server cannot check the payload of a job with a schema. */
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
    schemaFrom,
  };
  return { job, missing };
}
