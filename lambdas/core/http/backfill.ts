import * as z from 'zod/mini';

import { PRIORITIES } from '../contracts/pools';
import {
  BACKFILL_FAILURE_POLICIES,
  BACKFILL_ONLY,
  BACKFILL_ORDERS,
  BACKFILL_OVERLAPS,
  MAX_BACKFILL_DATES,
  MAX_BACKFILL_PARALLEL,
} from '../domain/workflow/backfill';
import { anyRecord, described, wholeNumber } from './fields';
import { fromBeforeTo, instant, page } from './query-fields';

/** Body of a new backfill. Each field but `from` and `to` has a default. */
export const BackfillBody = described(
  z
    .strictObject({
      from: described(instant, { description: 'Earliest due time.' }),
      to: described(instant, {
        description: `Due times before this time: at most ${MAX_BACKFILL_DATES} in all.`,
      }),
      parallel: described(z._default(wholeNumber(1, MAX_BACKFILL_PARALLEL), 1), {
        description:
          'At most so many dates run at once. 1: one after another, as always where `overlap` is `respect` and the ' +
          'overlap policy of the job is not `allow`.',
      }),
      order: described(z._default(z.enum(BACKFILL_ORDERS), 'asc'), {
        description: '`asc`: the oldest date first.',
      }),
      only: described(z._default(z.enum(BACKFILL_ONLY), 'missing'), {
        description: '`missing`: leaves out the dates of which an execution has succeeded.',
      }),
      onFailure: described(z._default(z.enum(BACKFILL_FAILURE_POLICIES), 'continue'), {
        description: '`stop`: once a date has failed, no further one starts.',
      }),
      overlap: described(z._default(z.enum(BACKFILL_OVERLAPS), 'respect'), {
        description: '`respect`: the overlap policy of the job holds for the dates too.',
      }),
      priority: described(z._default(z.enum(PRIORITIES), 'low'), {
        description: 'Priority of the dates, whatever that of the job.',
      }),
      params: described(z.optional(anyRecord()), {
        description: 'Only for a job with a workflow: values of its parameters, for each date.',
      }),
      dryRun: described(z._default(z.boolean(), false), {
        description: 'true: count the dates, estimate the cost, and write nothing.',
      }),
    })
    .check(fromBeforeTo),
  { id: 'BackfillRequest' },
);
export type BackfillBody = z.output<typeof BackfillBody>;

/** Those that the run of a backfill may have: it is never planned, and passes no gate that would skip it. */
const RUN_STATUSES = ['queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'] as const;

export const ListBackfillsQuery = z.strictObject({
  ...page,
  status: described(z.optional(z.enum(RUN_STATUSES)), {
    description: 'Only backfills with this status. A page may be short, and have a next one.',
  }),
});
