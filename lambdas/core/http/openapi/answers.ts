import * as z from 'zod';

import { EXECUTION_STATUSES } from '../../contracts/execution-statuses';
import type { JobDefinition } from '../../domain/job';
import { PRIORITIES } from '../../contracts/pools';
import { JobId } from '../fields';
import { ScheduleSchema } from '../schedule';
import { TargetFields } from '../target';
import { ActorView } from './actor-answers';
import { WorkflowVersionView, WorkflowView } from './workflow-answers';

/*
 * Bodies of responses. Operations import only their types, so no function pays for these schemas at a cold
 * start. The OpenAPI document is made from the schemas, and tests check real responses against them.
 */

/** An instant: RFC 3339 in UTC with milliseconds. */
export const Instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ id: 'Instant', description: 'A time: RFC 3339 in UTC with milliseconds.', format: 'date-time' });
export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

export const ExecutionStatusView = z.enum(EXECUTION_STATUSES).meta({
  id: 'ExecutionStatus',
  description:
    'The statuses succeeded, failed, cancelled and skipped are final, unless the user retries the execution. ' +
    'The status scheduled means planned and not yet due.',
});

export type TargetView = z.output<typeof TargetFields>;

const RetryView = z.strictObject({
  maxAttempts: z.int(),
  initialDelay: z.string(),
  maxDelay: z.string(),
  multiplier: z.number(),
  jitter: z.enum(['full', 'none']),
  maxAge: z.string(),
  on: z
    .array(z.union([z.int(), z.enum(['3xx', '4xx', '5xx'])]))
    .meta({ description: 'The statuses of HTTP targets that are retried.' }),
});

export const MisfireView = z.strictObject({
  policy: z.enum(['fire-now', 'fire-once', 'fire-all', 'skip']),
  grace: z.string(),
  catchUpWindow: z.string(),
});

/** The fields of a definition, as responses show them. */
export const definitionFields = {
  name: z.string().optional(),
  schedule: ScheduleSchema,
  target: z.optional(TargetFields),
  targets: z
    .array(TargetFields)
    .optional()
    .meta({ description: 'Takes the place of `target` if the job has several targets.' }),
  workflow: WorkflowView.optional().meta({
    description:
      'Takes the place of a target. Left out of lists, and of changes whose version is no longer kept.',
  }),
  payload: z.unknown().optional().meta({ description: 'Absent if the job has no payload.' }),
  payloadSchema: z.record(z.string(), z.unknown()).optional(),
  templates: z.boolean(),
  priority: z.enum(PRIORITIES),
  pool: z.string(),
  retry: RetryView,
  misfire: MisfireView,
  overlap: z.enum(['allow', 'skip', 'queue', 'replace']),
  orderingKey: orNull(z.string()),
  concurrencyKey: z.string().optional().meta({ description: 'Absent if the job has none.' }),
  onFailure: z.enum(['continue', 'block']),
  timeout: z.string(),
  tags: z.record(z.string(), z.string()),
  runTags: z.array(z.string()).optional(),
  externalId: z.string().optional(),
  pauseAfter: z.strictObject({ failures: z.int() }).optional(),
  expectEvery: z.string().optional(),
  expectDuration: z.strictObject({ min: z.string().optional(), max: z.string().optional() }).optional(),
  onEnd: z.strictObject({ succeeded: z.optional(TargetFields), failed: z.optional(TargetFields) }).optional(),
} satisfies Record<keyof JobDefinition, z.core.$ZodType>;

/** A job as its user sees it: the definition as given, and the fields that the API derives. */
export const JobView = z
  .strictObject({
    jobId: JobId,
    ...definitionFields,
    status: z.enum(['active', 'paused', 'completed']).meta({
      description:
        'completed: no occurrence is left, and the last execution has ended. It may be paused: a new schedule then begins paused.',
    }),
    generation: z.int().meta({
      description: 'Rises with each change of the schedule, each pause and each resume. A new job has 1.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
    scheduleChangedAt: Instant.meta({
      description: 'When `schedule` last changed. `delay`, and an interval without anchor, count from here.',
    }),
    pausedUntil: Instant.optional().meta({
      description: 'Only of a job that is paused until a time: when it is resumed by itself.',
    }),
    by: orNull(ActorView).meta({ description: 'Who made the last change; null if that is not known.' }),
    changeNumber: z.int().meta({
      description: 'Rises with each change of the definition, each pause and each resume. A new job has 1.',
    }),
    workflowVersion: WorkflowVersionView.optional().meta({ description: 'Only of a job with a workflow.' }),
    note: z.string().optional().meta({ description: 'The `Quarterjack-Note` of the last change.' }),
    payloadSchemaUnchecked: z.array(z.string()).optional().meta({
      description:
        'Only of a job with a `payloadSchema`: JSON pointers into it, to what it says and nothing checks.',
    }),
    pendingMisfits: z
      .strictObject({ count: z.int(), of: z.int() })
      .optional()
      .meta({
        description:
          'Only of a dry run that changes `payloadSchema`: how many runs wait with a payload that it does not fit. ' +
          '`of`: how many wait, among the newest 500 executions.',
      }),
    nextFireAt: orNull(Instant).meta({
      description:
        'The next due time, after a pause that has an end. Null: nothing is planned, or a user has to resume it.',
    }),
    lastExecution: orNull(z.strictObject({ execId: z.string(), status: ExecutionStatusView, dueAt: Instant }))
      .optional()
      .meta({ description: 'The newest execution that is due; null if there is none. Absent in lists.' }),
  })
  .meta({
    id: 'Job',
    description: 'A job: the definition that its user gave, and the fields that the API derives from it.',
  });
export type JobView = z.output<typeof JobView>;

export const ReportView = z
  .strictObject({
    status: ExecutionStatusView,
    cancelRequested: z.boolean().optional().meta({
      description:
        'In responses to heartbeats. true: cancellation was requested, and heartbeats no longer extend the lease.',
    }),
  })
  .meta({ id: 'Report', description: 'The status of the execution after the report.' });
export type ReportView = z.output<typeof ReportView>;

export const nextCursor = orNull(z.string()).meta({
  description: 'Cursor of the next page of the same list; null on the last page.',
});
export interface PageView<Item> {
  items: Item[];
  nextCursor: string | null;
}
/** Only of a search. */
export const searched = z.boolean().optional().meta({
  description: 'With `contains`: whether all jobs were searched. If not, `nextCursor` goes on.',
});
export const JobPage = z
  .strictObject({ items: z.array(JobView), nextCursor, complete: searched })
  .meta({ id: 'JobPage' });

/** The outcome of one item of a batch. */
const BatchOutcome = z
  .strictObject({
    index: z.int().meta({ description: 'Index of the item in the request.' }),
    status: z
      .int()
      .meta({ description: 'The status that a request with this job alone would get: 201, 400, 409, …' }),
    job: JobView.optional().meta({ description: 'The job, if it was created.' }),
    replayed: z.boolean().optional().meta({
      description: 'Present if the job was created. true: an earlier request with the same key created it.',
    }),
    problem: z
      .lazy(() => ProblemView)
      .optional()
      .meta({ description: 'Why the job was not created.' }),
  })
  .meta({ id: 'BatchOutcome' });
export type BatchOutcome = z.output<typeof BatchOutcome>;

const Allowance = z.strictObject({
  used: z.number(),
  adds: z.number().meta({ description: 'What the accepted jobs add. Jobs that get smaller count 0.' }),
  allowed: z.number(),
});

export const BatchView = z
  .strictObject({
    outcomes: z.array(BatchOutcome),
    usage: z
      .strictObject({ jobs: Allowance, firesPerMinute: Allowance, payloadBytes: Allowance })
      .optional()
      .meta({ description: 'In a dry run: the quotas, for a client that checks several batches together.' }),
  })
  .meta({ id: 'BatchOutcomes' });
export type BatchView = z.output<typeof BatchView>;

/** A problem by RFC 9457. */
export const ProblemView = z
  .strictObject({
    type: z.string().meta({
      description: 'A URL that says what the problem is. Its last part is the kind, and never changes.',
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'Identifies the request in the log.' }),
    errors: z
      .array(
        z.strictObject({
          path: z.string(),
          message: z.string(),
          pointer: z.string().optional(),
          keyword: z.string().optional(),
        }),
      )
      .optional()
      .meta({
        description:
          'In responses to bad input: each bad field by its dotted path. `body` means the body as a whole. If a payload ' +
          'does not fit the `payloadSchema` of its job: also a JSON pointer into it, and the keyword.',
      }),
  })
  .meta({ id: 'Problem', description: 'What is wrong, in the format of RFC 9457.' });
export type ProblemView = z.output<typeof ProblemView>;

/* Due times. */

const times = z.array(
  z.strictObject({
    at: Instant,
    local: z.string().meta({ description: 'Local time in the time zone of the schedule.' }),
    note: z.string().optional().meta({ description: 'How a change of clocks moved or repeated this time.' }),
  }),
);
export const TimesView = z.strictObject({ times }).meta({ id: 'Times' });
export type TimesView = z.output<typeof TimesView>;

export const PreviewView = z
  .strictObject({ times, description: z.string().meta({ description: 'The schedule in words.' }) })
  .meta({ id: 'Preview' });
export type PreviewView = z.output<typeof PreviewView>;

/** What started an execution, if neither its schedule nor a user did. */
export const CauseView = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('after'),
      jobId: z.string(),
      execId: z.string(),
      status: z.enum(['succeeded', 'failed', 'cancelled']),
    }),
    z.strictObject({
      type: z.literal('event'),
      name: z.string(),
      eventId: z.string(),
      key: z.string().optional(),
    }),
  ])
  .meta({ description: 'The end of an upstream execution, or the event, that started it. Else absent.' });

/** The gates of an execution that have a name. */
export const keysView = {
  orderingKey: z
    .string()
    .optional()
    .meta({ description: 'The ordering key that the execution waits for, holds or held.' }),
  concurrencyKey: z.string().optional().meta({
    description:
      'The concurrency key of which it holds or held a slot; a derived one as its payload makes it.',
  }),
};

/** What an execution is found by. */
export const runLabelsView = {
  runTags: z.array(z.string()).optional().meta({
    description: 'What it is found by: as its request says and, once it has ended, as its job says.',
  }),
  externalId: z.string().optional().meta({ description: 'Its name in your own system.' }),
  tagsLeftOut: z
    .int()
    .optional()
    .meta({
      description:
        'How many of the run tags and external ids of its job it lacks: a template had no value, or it had 5 tags. ' +
        'Absent: none.',
    }),
};
