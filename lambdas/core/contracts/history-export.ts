import * as z from 'zod/mini';

import { jsonVariable } from './env-json';

/** What a line may have beside what has ended, and how. */
export const EXPORTED_FIELDS = ['payload', 'output'] as const;
/** How objects are laid out above the day. */
export const EXPORT_PARTITIONS = ['none', 'project'] as const;

/** Where the lines of ended executions go. */
export const HistoryExport = z.strictObject({
  /** `s3://BUCKET/PREFIX`, or `file:///FOLDER/` in the local run. What objects are named follows it. */
  to: z.string().check(z.regex(/^(?:s3:\/\/[a-z0-9][a-z0-9.-]+\/|file:\/\/\/)/)),
  partitionBy: z._default(z.enum(EXPORT_PARTITIONS), 'none'),
  include: z._default(z.array(z.enum(EXPORTED_FIELDS)), []),
});
export type HistoryExport = z.output<typeof HistoryExport>;

/** As JSON. `null`: the deployment exports nothing. */
export const HISTORY_EXPORT = jsonVariable(z.nullable(HistoryExport));
