import type { Operation } from '../../contracts/routes';
import { ExecutionPage } from '../execution-answers';
import { BulkBody } from '../bulk';
import { BulkView } from '../bulk-answers';
import { FailureGroupsView } from '../failure-answers';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

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
