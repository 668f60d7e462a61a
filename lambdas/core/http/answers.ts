import * as z from 'zod';

import { EXECUTION_STATUSES } from '../domain/transitions';
import { PRIORITIES } from '../contracts/pools';
import { JobId } from './fields';
import { ScheduleSchema } from './schedule';

/*
 * What the API answers. Operations take the types alone, so no function pays for these schemas at its start; the
 * OpenAPI document is made from them, and the tests hold real answers against them.
 */

/** An instant: RFC 3339 in UTC with milliseconds. */
const Instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ id: 'Instant', description: 'RFC 3339 in UTC with milliseconds.', format: 'date-time' });
const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

const ExecutionStatus = z.enum(EXECUTION_STATUSES).meta({
  id: 'ExecutionStatus',
  description:
    'succeeded, failed, cancelled and skipped are final, unless the user retries. scheduled: planned and not yet due.',
});

const HttpTargetView = z.strictObject({
  type: z.literal('http'),
  url: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  headers: z.record(z.string(), z.string()),
  timeout: z.string(),
  mode: z.enum(['sync', 'async']),
  heartbeatTimeout: z.string().optional(),
});

const TargetView = z.discriminatedUnion('type', [
  HttpTargetView,
  z.strictObject({
    type: z.literal('lambda'),
    functionArn: z.string(),
    mode: z.enum(['sync', 'async']),
    heartbeatTimeout: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('sqs'), queueUrl: z.string() }),
  z.strictObject({ type: z.literal('sns'), topicArn: z.string() }),
  z.strictObject({
    type: z.literal('eventbridge'),
    eventBusName: z.string(),
    source: z.string(),
    detailType: z.string(),
  }),
  z.strictObject({ type: z.literal('stepfunctions'), stateMachineArn: z.string() }),
]);
export type TargetView = z.output<typeof TargetView>;

const RetryView = z.strictObject({
  maxAttempts: z.int(),
  initialDelay: z.string(),
  maxDelay: z.string(),
  multiplier: z.number(),
  maxAge: z.string(),
});

const MisfireView = z.strictObject({
  policy: z.enum(['fire-now', 'fire-once', 'fire-all', 'skip']),
  grace: z.string(),
  catchUpWindow: z.string(),
});

/** A job as its user sees it: the definition as given, and what follows from it. */
export const JobView = z
  .strictObject({
    jobId: JobId,
    name: z.string().optional(),
    schedule: ScheduleSchema,
    target: TargetView.optional(),
    targets: z
      .array(TargetView)
      .optional()
      .meta({ description: 'Where there are several, in place of `target`.' }),
    payload: z.unknown().optional().meta({ description: 'Absent where the job has none.' }),
    priority: z.enum(PRIORITIES),
    pool: z.string(),
    retry: RetryView,
    misfire: MisfireView,
    overlap: z.enum(['allow', 'skip', 'queue', 'replace']),
    orderingKey: orNull(z.string()),
    onFailure: z.enum(['continue', 'block']),
    timeout: z.string(),
    tags: z.record(z.string(), z.string()),
    status: z
      .enum(['active', 'paused', 'completed'])
      .meta({ description: 'completed: no occurrence is left, and the last one has ended.' }),
    generation: z.int().meta({ description: 'Counts create, changes of schedule, pause and resume.' }),
    createdAt: Instant,
    updatedAt: Instant,
    nextFireAt: orNull(Instant),
    lastExecution: orNull(z.strictObject({ execId: z.string(), status: ExecutionStatus, dueAt: Instant }))
      .optional()
      .meta({ description: 'The newest one that is due, or null. Not in lists.' }),
  })
  .meta({ id: 'Job', description: 'A job: what its user said about it, and what follows from that.' });
export type JobView = z.output<typeof JobView>;

const AttemptView = z
  .strictObject({
    attempt: z.int(),
    fence: z.int().meta({ description: 'Rises with every claim of the execution.' }),
    startedAt: Instant,
    finishedAt: Instant,
    outcome: z.enum(['succeeded', 'retriable', 'fatal', 'lost', 'cancelled']),
    target: z.int().meta({ description: 'Index of the target.' }),
    statusCode: orNull(z.int()),
    error: orNull(z.string()),
    late: z
      .literal(true)
      .optional()
      .meta({ description: 'It came when the attempt had lost its lease, and decided nothing.' }),
  })
  .meta({ id: 'Attempt', description: 'One try of an execution that has ended.' });
export type AttemptView = z.output<typeof AttemptView>;

export const ExecutionView = z
  .strictObject({
    jobId: JobId,
    execId: z.string(),
    trigger: z.enum(['schedule', 'manual', 'catch-up']),
    dueAt: Instant,
    status: ExecutionStatus,
    reason: orNull(z.string()).meta({
      description: 'Of skipped, failed and cancelled ones: overlap, misfire, paused, superseded, deleted, …',
    }),
    skipped: orNull(z.strictObject({ from: Instant, to: Instant, count: z.int() })).meta({
      description: 'Where one record stands for neighbouring occurrences.',
    }),
    latenessMs: orNull(z.int()),
    startedAt: orNull(Instant),
    finishedAt: orNull(Instant),
    heartbeatAt: orNull(Instant),
    attempts: z.array(AttemptView),
    targets: z.array(z.strictObject({ index: z.int(), status: ExecutionStatus })),
    result: orNull(z.strictObject({ statusCode: orNull(z.int()), body: orNull(z.string()) })).meta({
      description: 'The first 256 bytes of the answer, 2 KB of a failure.',
    }),
    orderingKey: z
      .string()
      .optional()
      .meta({ description: 'The key under which it stands in line, or ran.' }),
    blocksKey: z.literal(true).optional().meta({
      description:
        'Failed, and holds up its ordering key until it is retried or cancelled, or the key is unblocked.',
    }),
  })
  .meta({ id: 'Execution', description: 'One occurrence of a job, or one manual run, and what came of it.' });
export type ExecutionView = z.output<typeof ExecutionView>;

export const OrderingKeyView = z
  .strictObject({
    orderingKey: z.string(),
    holder: orNull(z.strictObject({ jobId: JobId, execId: z.string(), status: ExecutionStatus })).meta({
      description: 'The execution that has the key: it runs, waits for a retry, or has failed and blocks.',
    }),
    blocked: z.boolean(),
    waiting: z
      .array(z.strictObject({ jobId: JobId, execId: z.string(), dueAt: Instant }))
      .meta({ description: 'Those due by now that wait, in their order: the first ten.' }),
  })
  .meta({ id: 'OrderingKey', description: 'Where the executions that share an ordering key stand.' });
export type OrderingKeyView = z.output<typeof OrderingKeyView>;

export const ReportView = z
  .strictObject({
    status: ExecutionStatus,
    cancelRequested: z
      .boolean()
      .optional()
      .meta({ description: 'Of heartbeats: the execution shall end, and its lease is kept up no longer.' }),
  })
  .meta({ id: 'Report', description: 'What the execution is after what its target has reported.' });
export type ReportView = z.output<typeof ReportView>;

const nextCursor = orNull(z.string()).meta({
  description: 'For the next page of the same list; null at its end.',
});
export interface PageView<Item> {
  items: Item[];
  nextCursor: string | null;
}
export const JobPage = z.strictObject({ items: z.array(JobView), nextCursor }).meta({ id: 'JobPage' });
export const ExecutionPage = z
  .strictObject({ items: z.array(ExecutionView), nextCursor })
  .meta({ id: 'ExecutionPage' });

const times = z.array(
  z.strictObject({
    at: Instant,
    local: z.string().meta({ description: 'By the clock of the schedule’s zone.' }),
    note: z.string().optional().meta({ description: 'What a change of clocks did.' }),
  }),
);
export const TimesView = z.strictObject({ times }).meta({ id: 'Times' });
export type TimesView = z.output<typeof TimesView>;

export const PreviewView = z
  .strictObject({ times, description: z.string().meta({ description: 'The schedule in plain words.' }) })
  .meta({ id: 'Preview' });
export type PreviewView = z.output<typeof PreviewView>;

export const SigningSecretView = z
  .strictObject({
    secret: z.string().meta({ description: '`whsec_…`, by Standard Webhooks.' }),
    version: z.int().meta({ description: 'Rises with each rotation.' }),
    signingAlong: z
      .array(z.strictObject({ version: z.int(), until: Instant }))
      .meta({ description: 'Earlier versions that deliveries are still signed with too, and until when.' }),
  })
  .meta({ id: 'SigningSecret' });
export type SigningSecretView = z.output<typeof SigningSecretView>;

export const HealthView = z.strictObject({ status: z.literal('pass') }).meta({ id: 'Health' });

/** What became of one item of a batch. */
const BatchOutcome = z
  .strictObject({
    index: z.int().meta({ description: 'Of the item in the request.' }),
    status: z.int().meta({ description: 'As if the job had come alone: 201, 400, 409 …' }),
    job: JobView.optional().meta({ description: 'Where it was made.' }),
    replayed: z
      .boolean()
      .optional()
      .meta({ description: 'Where it was made: by an earlier request with the same key.' }),
    problem: z
      .lazy(() => ProblemView)
      .optional()
      .meta({ description: 'Where it was not.' }),
  })
  .meta({ id: 'BatchOutcome' });
export type BatchOutcome = z.output<typeof BatchOutcome>;

export const BatchView = z.strictObject({ outcomes: z.array(BatchOutcome) }).meta({ id: 'BatchOutcomes' });
export type BatchView = z.output<typeof BatchView>;

const CursorView = z
  .strictObject({
    lagSec: orNull(z.int()).meta({
      description: 'Of the shard that is furthest behind; 0 while all keep up.',
    }),
    shards: z.array(
      z.strictObject({
        shard: z.int(),
        at: orNull(Instant).meta({ description: 'Everything before is done; null before the first tick.' }),
        lagSec: orNull(z.int()),
      }),
    ),
  })
  .meta({ id: 'Cursors' });
export type CursorView = z.output<typeof CursorView>;

export const DeploymentStatusView = z
  .strictObject({
    state: z.enum(['running', 'stopped']),
    stoppedAt: orNull(Instant),
    stoppedBy: orNull(z.string()),
    tick: z.enum(['on', 'off']).meta({ description: 'The schedule that sets planned work going.' }),
    shards: z.int(),
    scan: CursorView,
    sweep: CursorView,
  })
  .meta({ id: 'DeploymentStatus' });
export type DeploymentStatusView = z.output<typeof DeploymentStatusView>;

/** RFC 9457. */
export const ProblemView = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'Names the request in the log.' }),
    errors: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: 'Of bad input: each bad field by its dotted path, `body` for the body as a whole.',
      }),
  })
  .meta({ id: 'Problem', description: 'What is wrong, in the words of RFC 9457.' });
export type ProblemView = z.output<typeof ProblemView>;

/** What API Gateway refuses by itself. */
export const GatewayMessage = z.object({ message: z.string() }).meta({
  id: 'GatewayMessage',
  description: 'Of what never reached the function: no valid token, throttled, over 10 MB.',
});
