import * as z from 'zod';

import {
  EXPORT_PARTITIONS,
  EXPORTED_FIELDS,
  type HistoryExport as ExportSettings,
} from '../../lambdas/core/contracts/history-export';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([A-Za-z0-9][\w.=-]{0,62}\/){0,8}$/;

/** Where the lines of ended executions go: a bucket of the operator. */
export const HistoryExport = z.strictObject({
  bucket: z.string().regex(BUCKET, 'expected the name of a bucket'),
  /** Names of all objects begin with it. The follower may write nothing else there. */
  prefix: z.string().max(300).regex(PREFIX, 'expected folders like "jobs/prod/", or nothing').default(''),
  /** `project`: a folder for each project, above the day. */
  partitionBy: z.enum(EXPORT_PARTITIONS).default('none'),
  /** Columns that may have what is confidential. */
  include: z.array(z.enum(EXPORTED_FIELDS)).max(EXPORTED_FIELDS.length).default([]),
});
type HistoryExport = z.output<typeof HistoryExport>;

/** What the follower knows of it. */
export const exportSettingsOf = (to: HistoryExport | undefined): ExportSettings | null =>
  to ? { to: `s3://${to.bucket}/${to.prefix}`, partitionBy: to.partitionBy, include: to.include } : null;
