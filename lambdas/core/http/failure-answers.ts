import * as z from 'zod';

import { ERROR_CLASSES } from '../domain/fingerprint';
import { Instant, orNull } from './answers';
import { JobId } from './fields';

const FailureGroup = z
  .strictObject({
    fingerprint: z.string(),
    status: z.enum(['failed', 'skipped']),
    reason: orNull(z.string()),
    errorClass: orNull(z.enum(ERROR_CLASSES)).meta({
      description: 'What kind of error the last failed attempt met; null if none is known.',
    }),
    statusCode: orNull(z.int()),
    host: orNull(z.string()),
    task: orNull(z.string()).meta({ description: 'Only of runs: the task that has failed them.' }),
    excerpt: orNull(z.string()).meta({
      description: 'What went wrong in the latest execution: its `excerpt`; null if it has none.',
    }),
    count: z.int().meta({
      description: 'Executions of the group. A skipped range counts each of its occurrences.',
    }),
    countIs: z.enum(['exact', 'at-least']).meta({
      description: '`at-least`: not all failures were read, so there may be more (≥).',
    }),
    jobs: z.int().meta({ description: 'How many jobs they are of.' }),
    blocksKey: z.boolean().meta({ description: 'Whether one of them blocks its ordering key.' }),
    firstDueAt: Instant,
    lastDueAt: Instant,
    firstEndedAt: Instant.meta({ description: 'When the first of them ended.' }),
    lastEndedAt: Instant.meta({ description: 'When the last of them ended.' }),
    latest: z
      .strictObject({ jobId: JobId, execId: z.string() })
      .meta({ description: 'The execution with the latest due time.' }),
  })
  .meta({ id: 'FailureGroup', description: 'Failures of one cause.' });
export type FailureGroup = z.output<typeof FailureGroup>;

export const FailureGroupsView = z
  .strictObject({
    groups: z.array(FailureGroup).meta({ description: 'By the latest due time, newest first.' }),
    rows: z.int().meta({ description: 'How many rows were read.' }),
    complete: z.boolean().meta({
      description: 'false: there are more failures. Each `count` is then a lower bound.',
    }),
    incompleteBecause: z.array(z.enum(['rows', 'time', 'groups'])).meta({
      description:
        '`rows`: 10,000 rows. `time`: 10 s. `groups`: more than 1,000 groups, the newest are shown.',
    }),
  })
  .meta({ id: 'FailureGroups', description: 'Failures, counted by their fingerprint.' });
export type FailureGroupsView = z.output<typeof FailureGroupsView>;
