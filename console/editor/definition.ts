import type { JobDefinition, JobWithEtag } from '../../client/browser';

/** What the API adds to a definition. Everything else of a job can be written. */
const READ_ONLY = [
  'jobId',
  'kind',
  'status',
  'generation',
  'createdAt',
  'updatedAt',
  'scheduleChangedAt',
  'pausedUntil',
  'by',
  'changeNumber',
  'workflowVersion',
  'payloadSchemaUnchecked',
  'note',
  'nextFireAt',
  'lastExecution',
  'etag',
];

/** The definition of a job: the body of a PUT that would change nothing. */
export const definitionOf = (job: JobWithEtag): JobDefinition =>
  Object.fromEntries(Object.entries(job).filter(([name]) => !READ_ONLY.includes(name))) as JobDefinition;

/** What a new job begins with. */
export const NEW_JOB: JobDefinition = {
  schedule: {
    type: 'cron',
    expression: '30 9 * * MON-FRI',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  },
  target: { type: 'http', url: '' },
};

/** What a new workflow begins with. */
export const NEW_WORKFLOW: JobDefinition = {
  schedule: NEW_JOB.schedule,
  workflow: {
    tasks: {
      extract: { target: { type: 'http', url: 'https://example.com/extract' } },
      load: { dependsOn: ['extract'], target: { type: 'http', url: 'https://example.com/load' } },
      alarm: { finally: 'failed', target: { type: 'http', url: 'https://example.com/alarm' } },
    },
  },
};

/** A value as text that a reader can compare. */
export const asText = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value, null, 1);
