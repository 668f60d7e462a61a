import * as z from 'zod';

import { ERROR_CLASSES } from '../../domain/fingerprint';
import type { Operation } from '../../contracts/routes';
import { JobId } from '../fields';
import { BulkBody } from '../bulk';
import { FailureAckView } from './failure-ack';
import { Instant, orNull, nextCursor, ProblemView } from './answers';
import { ExecutionPage } from './execution';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

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
    first: z
      .strictObject({ jobId: JobId, execId: z.string() })
      .meta({ description: 'The execution with the earliest due time of those that were read.' }),
    ack: orNull(FailureAckView).meta({
      description:
        'Who knows about it; null if no user does, or if a job has failed so since that had not before.',
    }),
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

export const BulkView = z
  .strictObject({
    matched: z.int().meta({
      description:
        'Items of this page: the sum of `done`, `unchanged` and `failed`. In a dry run: all items.',
    }),
    done: z.int(),
    unchanged: z.int().meta({
      description: 'Items that were already as asked for, for example because the page was sent before.',
    }),
    failed: z.array(z.strictObject({ jobId: JobId, execId: z.string().optional(), problem: ProblemView })),
    stoppedBy: ProblemView.optional().meta({
      description:
        'Present if a 429 or 503 of an item ended the page early. `Retry-After` says when to go on with `nextCursor`.',
    }),
    nextCursor,
  })
  .meta({ id: 'Bulk', description: 'What one page of a bulk has done.' });
export type BulkView = z.output<typeof BulkView>;

export const BULK_OPERATIONS = {
  listFailures: {
    tag: 'Executions',
    summary: 'List failures over all jobs',
    description:
      'Failed and skipped executions, newest due time first; by default those of the last week. Failures of the last ' +
      'second may be missing. A page may be short or empty and still have a next page. `view=inbox` leaves out what a ' +
      'user asked for. With `group=fingerprint`, the answer has counts by cause instead of executions.',
    responses: {
      200: {
        description: 'A page of executions, or the groups.',
        schema: ExecutionPage.or(FailureGroupsView),
        example: examples.failuresPage,
      },
    },
  },
  bulk: {
    tag: 'Jobs',
    summary: 'Do the same with everything that a filter selects',
    description:
      'Each request works on one page: at most 100 items, or as many as 10 s are enough for. Repeat it with ' +
      '`nextCursor` until that is null. Each item is treated as by the request for it alone. What was created, or has ' +
      'failed, after the bulk began is left out. Failures are retried in ascending order of due time, those of one ' +
      'ordering key one after another. Sending a page again does no harm. `run` needs an `Idempotency-Key`. With a ' +
      'key, a repeated first page belongs to the same bulk.',
    headers: ['Idempotency-Key'],
    body: {
      schema: BulkBody,
      required: true,
      example: { action: 'retry', filter: { tag: ['team:billing'], host: 'billing.example.com' } },
    },
    responses: {
      200: {
        description: 'What the page has done.',
        schema: BulkView,
        example: { matched: 12, done: 11, unchanged: 1, failed: [], nextCursor: null },
        headers: ['Retry-After'],
      },
    },
    problems: [409, 422],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
