import * as z from 'zod/mini';

import { EXECUTION_STATUSES } from '../contracts/execution-statuses';
import type { Operation } from '../contracts/routes';
import { ListBackfillsQuery } from './backfill';
import {
  ListFailuresQuery,
  ExecutionsOfJobsQuery,
  ExplainQuery,
  JobStatsQuery,
  LoadQuery,
  UpcomingOfJobsQuery,
} from './lookup-queries';
import { DeleteFailureAckQuery, ListFailureAcksQuery } from './failure-ack';
import { described, OrderingKey, RunKey, textUpTo, wholeNumber } from './fields';
import { digits, flag, fromBeforeTo, instant, jobFilterFields, page } from './query-fields';
import { ScheduleSchema } from './schedule';
import { SigningSecretQuery } from './signing';
import { StatsQuery } from './stats';
import { ExecutionLogQuery, TaskLogQuery } from './log';
import { WORKFLOW_QUERIES } from './workflow-queries';

const MAX_TIMES = 100;
const MAX_JOBS_WITH_HISTORY = 50;
const MAX_JOBS = 100;
const MAX_SUMMARIES = 500;

/** No stored execution is `scheduled`. */
const STORED_STATUSES = EXECUTION_STATUSES.filter((status) => status !== 'scheduled');

export const ListJobsQuery = z
  .strictObject({
    ...page,
    limit: described(z._default(digits(1, MAX_SUMMARIES), 25), {
      description: `At most ${MAX_JOBS}; of summaries ${MAX_SUMMARIES}, or ${MAX_JOBS_WITH_HISTORY} with \`history\`.`,
    }),
    ...jobFilterFields,
    lastStatus: described(z.optional(z.enum(STORED_STATUSES)), {
      description: 'Status of the newest execution that is due. A page reads 500 jobs at most.',
    }),
    fields: described(z.optional(z.enum(['summary'])), {
      description: '`summary`: without payload, headers and policies, and with the last execution.',
    }),
    history: described(z.optional(digits(0, 20)), {
      description: 'How many of the newest executions each summary has.',
    }),
  })
  .check(
    z.superRefine(({ fields, history = 0, limit }, context) => {
      const most = fields === undefined ? MAX_JOBS : history > 0 ? MAX_JOBS_WITH_HISTORY : MAX_SUMMARIES;
      const message = `must be a whole number from 1 to ${most}`;
      // Above the most of all, the field's own check has said so.
      if (limit > most && limit <= MAX_SUMMARIES)
        context.addIssue({ code: 'custom', path: ['limit'], message });
      if (history > 0 && fields === undefined)
        context.addIssue({ code: 'custom', path: ['history'], message: 'needs fields=summary' });
    }),
  );
export type ListJobsQuery = z.output<typeof ListJobsQuery>;

export const ListExecutionsQuery = z
  .strictObject({
    ...page,
    order: z._default(z.enum(['asc', 'desc']), 'desc'),
    status: z.optional(z.enum(EXECUTION_STATUSES)),
    from: described(z.optional(instant), { description: 'Earliest due time.' }),
    to: described(z.optional(instant), { description: 'Due times before this time.' }),
    key: described(z.optional(RunKey), {
      description: 'Only the run that has this key, or had it last. No other filter is applied.',
    }),
  })
  .check(fromBeforeTo);
export type ListExecutionsQuery = z.output<typeof ListExecutionsQuery>;

export const OrderingKeyQuery = z.strictObject({ orderingKey: OrderingKey });
export const ListChangesQuery = z.strictObject(page);
export const ChangeQuery = z.strictObject({
  createdAt: described(z.optional(instant), {
    description: '`createdAt` of the change, if a later job has the same jobId. Default: the newest job.',
  }),
});

export const ListApiKeysQuery = z.strictObject(page);

export const RevokeApiKeysQuery = z.strictObject({
  by: described(textUpTo(512), { description: 'The `sub` of the actor that created the keys.' }),
});

export const ListAuditQuery = z
  .strictObject({
    ...page,
    from: described(z.optional(instant), { description: 'Earliest time.' }),
    to: described(z.optional(instant), { description: 'Records before this time.' }),
  })
  .check(fromBeforeTo);

export const UpcomingQuery = z.strictObject({ count: z._default(digits(1, MAX_TIMES), 10) });

const dryRun = flag('true: check the request as a whole, quotas included, and change nothing.');

export const PutJobQuery = z.strictObject({ dryRun });
export const CreateJobsQuery = z.strictObject({
  dryRun,
  replace: flag('true: replace the jobs that exist, as PUT does. Each item then needs its jobId.'),
});

export const PreviewBody = z.strictObject({
  schedule: ScheduleSchema,
  count: z._default(wholeNumber(1, MAX_TIMES), 10),
  from: z.optional(instant),
});

export const ListCalendarsQuery = z.strictObject(page);
export const ListWorkQueuesQuery = z.strictObject({
  ...page,
  workers: flag('true: with the workers of each queue.'),
});
export const ListSecretsQuery = z.strictObject(page);
export const ListNotificationsQuery = z.strictObject(page);
export const DeleteSecretQuery = z.strictObject({
  force: described(
    z.pipe(
      z._default(z.enum(['true', 'false']), 'false'),
      z.transform((text: 'true' | 'false') => text === 'true'),
    ),
    { description: 'Deletes the secret even if jobs use it.' },
  ),
});

export const ListConcurrencyKeysQuery = z.strictObject(page);
export const DeleteConcurrencyKeyQuery = z.strictObject({
  force: flag('true: delete the key even if jobs use it.'),
});

/** The query parameters of each operation that has any. */
export const QUERIES = {
  listConcurrencyKeys: ListConcurrencyKeysQuery,
  deleteConcurrencyKey: DeleteConcurrencyKeyQuery,
  listJobs: ListJobsQuery,
  putJob: PutJobQuery,
  createJobs: CreateJobsQuery,
  listExecutions: ListExecutionsQuery,
  listAllBackfills: ListBackfillsQuery,
  listBackfills: ListBackfillsQuery,
  listFailures: ListFailuresQuery,
  listFailureAcks: ListFailureAcksQuery,
  deleteFailureAck: DeleteFailureAckQuery,
  listUpcoming: UpcomingQuery,
  getOrderingKey: OrderingKeyQuery,
  listSecrets: ListSecretsQuery,
  listCalendars: ListCalendarsQuery,
  listNotifications: ListNotificationsQuery,
  deleteSecret: DeleteSecretQuery,
  listApiKeys: ListApiKeysQuery,
  revokeApiKeys: RevokeApiKeysQuery,
  listAudit: ListAuditQuery,
  getSigningSecret: SigningSecretQuery,
  listUpcomingOfJobs: UpcomingOfJobsQuery,
  listExecutionsOfJobs: ExecutionsOfJobsQuery,
  getLoad: LoadQuery,
  getJobStats: JobStatsQuery,
  getStats: StatsQuery,
  explainOccurrence: ExplainQuery,
  listJobChanges: ListChangesQuery,
  getJobChange: ChangeQuery,
  restoreJob: ChangeQuery,
  deleteJobChange: ChangeQuery,
  listWorkQueues: ListWorkQueuesQuery,
  getExecutionLog: ExecutionLogQuery,
  getTaskLog: TaskLogQuery,
  ...WORKFLOW_QUERIES,
} as const satisfies Partial<Record<Operation, z.ZodMiniObject>>;
