import * as z from 'zod';

import { KEPT_BYTES } from '../../domain/target-result';
import type { Operation } from '../../contracts/routes';
import { HistoryJobId, JobId } from '../fields';
import { CancelExecutionBody, OrderingKeyBody, RetryExecutionBody } from '../job';
import { ActorView } from './actor-answers';
import {
  CauseView,
  ExecutionStatusView,
  Instant,
  MisfireView,
  keysView,
  nextCursor,
  orNull,
  runLabelsView,
} from './answers';
import { ErrandView, PastErrandView } from './errand-answers';
import { PingView } from './ping';
import { ProgressView, RunView } from './workflow-answers';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

const AttemptView = z
  .strictObject({
    attempt: z.int(),
    fence: z.int().meta({ description: 'Rises with each claim of the execution.' }),
    startedAt: Instant,
    finishedAt: Instant,
    outcome: z.enum(['succeeded', 'retriable', 'fatal', 'lost', 'cancelled']),
    target: z.int().meta({ description: 'Index of the target in `targets`; 0 for `target`.' }),
    statusCode: orNull(z.int()),
    error: orNull(z.string()),
    worker: z
      .string()
      .optional()
      .meta({ description: 'Name of the worker that made the attempt, if it gave one.' }),
    errand: PastErrandView.optional(),
    late: z.literal(true).optional().meta({
      description: 'The result arrived after the attempt had lost its lease, so it decided nothing.',
    }),
  })
  .meta({ id: 'Attempt', description: 'An attempt that has ended.' });
export type AttemptView = z.output<typeof AttemptView>;

const ExecutionDetail = z
  .strictObject({
    by: ActorView.optional().meta({ description: 'Who cancelled the execution, or paused its job.' }),
    note: z.string().optional().meta({
      description: 'The `Quarterjack-Note` of the last request, or of the pause that skipped it.',
    }),
    heldBy: z.string().optional().meta({
      description:
        'With the reason overlap: the execId of the execution of the job that had not ended, or that took its place.',
    }),
    foundAt: Instant.optional().meta({ description: 'With the reason misfire: when it was found.' }),
    graceSec: z.number().optional().meta({ description: 'With the reason misfire: the grace that applied.' }),
    policy: MisfireView.shape.policy.optional(),
    queue: z
      .string()
      .optional()
      .meta({ description: 'The work queue of a worker job, in which it waits or waited.' }),
    offeredAt: Instant.optional().meta({ description: 'Since when a worker job waits or waited there.' }),
    worker: z
      .string()
      .optional()
      .meta({ description: 'While it runs: name of the worker that has it, if it gave one.' }),
  })
  .meta({ description: 'What is known of the end beyond its reason.' });

const TraceView = z
  .strictObject({
    traceId: z.string().meta({ description: '32 hex digits.' }),
    spanId: z
      .string()
      .meta({ description: 'That of the whole execution: 16 hex digits. Its attempts have others.' }),
    sampled: z.boolean().meta({ description: 'Whether its spans are recorded.' }),
    joined: z.boolean().meta({
      description: 'Whether it is the trace of the request that started or retried the execution.',
    }),
  })
  .meta({ id: 'Trace' });

export const ExecutionView = z
  .strictObject({
    jobId: HistoryJobId.check(
      z.meta({
        description:
          'The job. `~n-` and the id of a notification: the hidden job that delivers its messages.',
        examples: ['invoice-reminder-42'],
      }),
    ),
    execId: z.string(),
    trigger: z.enum(['schedule', 'manual', 'catch-up', 'after', 'event', 'workflow', 'backfill', 'ping']),
    cause: CauseView.optional(),
    parent: z
      .strictObject({ jobId: z.string(), execId: z.string(), taskId: z.string() })
      .optional()
      .meta({ description: 'The task of a run that started it and waits for its end.' }),
    dueAt: Instant,
    status: ExecutionStatusView,
    reason: orNull(z.string()).meta({
      description:
        'Why the execution was skipped, cancelled or has failed: overlap, misfire, paused, superseded, deleted, …',
    }),
    skipped: orNull(z.strictObject({ from: Instant, to: Instant, count: z.int() })).meta({
      description: 'The range, if one record covers several consecutive occurrences; else null.',
    }),
    latenessMs: orNull(z.int()),
    startedAt: orNull(Instant).meta({ description: 'When its first attempt, or its run, began.' }),
    retriedAt: Instant.optional().meta({
      description: 'When it began again after the last retry by a user. What it took counts from here.',
    }),
    finishedAt: orNull(Instant),
    heartbeatAt: orNull(Instant),
    progress: ProgressView.optional(),
    ping: PingView.optional(),
    pace: z.enum(['slow', 'quick']).optional().meta({
      description: 'It has succeeded, and took longer or less long than the `expectDuration` of its job.',
    }),
    nextAttemptAt: orNull(Instant).meta({
      description: 'When its next attempt starts, at the earliest. Null if none waits for its time.',
    }),
    errand: ErrandView.optional().meta({ description: 'Only of a target with `wait`.' }),
    attempts: z.array(AttemptView),
    targets: z.array(z.strictObject({ index: z.int(), status: ExecutionStatusView })),
    workflow: RunView.optional().meta({ description: 'Only of a run that has started.' }),
    result: orNull(z.strictObject({ statusCode: orNull(z.int()), body: orNull(z.string()) })).meta({
      description: `The first ${KEPT_BYTES.ofSuccess} bytes of the target’s response; 2 KB of a failure.`,
    }),
    key: z.string().optional().meta({ description: 'The key of a run.' }),
    tags: z.record(z.string(), z.string()).optional().meta({ description: 'The tags of a run.' }),
    ...runLabelsView,
    heldAt: Instant.optional().meta({ description: 'Since when a pause of its job holds a delayed run.' }),
    created: z.boolean().optional().meta({
      description: 'Only in the answer to a run with a key: false if a run had the key.',
    }),
    ...keysView,
    by: orNull(ActorView).meta({
      description: 'Who last started, retried or cancelled the execution; null if no request did.',
    }),
    trace: orNull(TraceView).meta({ description: 'Its trace; null of what has only been planned.' }),
    generation: z.int().optional().meta({
      description: 'Generation of the job that planned it. Absent if that is not on record.',
    }),
    host: z.string().optional().meta({
      description:
        'Host of the HTTP target that failed last, with its port if that is not the usual one. Present if known.',
    }),
    fingerprint: z
      .string()
      .optional()
      .meta({
        description:
          'What failures of one cause share: status, reason, class of the error, status code and host, with `-` for ' +
          'what is not known. Then follow a hash of the line that says what went wrong, and the failed task of a run. ' +
          'Present if the execution has failed or was skipped.',
        examples: ['failed/attempts-exhausted/status/503/billing.example.com/1f0c9a2e'],
      }),
    failedTask: z.string().optional().meta({
      description: 'The task that has failed a run first. Host, fingerprint and excerpt are about it.',
    }),
    excerpt: z
      .string()
      .optional()
      .meta({
        description:
          'The line of the response that says what went wrong, of what is kept of it; without a response, the error. ' +
          'At most 160 characters. Present if the execution has failed and has one.',
        examples: ['UniqueViolation: duplicate key'],
      }),
    detail: ExecutionDetail.optional(),
    blocksKey: z.literal(true).optional().meta({
      description:
        'The execution failed and blocks its ordering key, until it is retried or cancelled, or the key is unblocked.',
    }),
  })
  .meta({
    id: 'Execution',
    description: 'One occurrence of a job, or one run of it that was asked for, with its outcome.',
  });
export type ExecutionView = z.output<typeof ExecutionView>;

export const ExecutionPage = z
  .strictObject({ items: z.array(ExecutionView), nextCursor })
  .meta({ id: 'ExecutionPage' });

/* Ordering keys. */

export const OrderingKeyView = z
  .strictObject({
    orderingKey: z.string(),
    holder: orNull(z.strictObject({ jobId: JobId, execId: z.string(), status: ExecutionStatusView })).meta({
      description:
        'The execution that holds the key. It runs, waits for a retry, or has failed and blocks the key.',
    }),
    blocked: z.boolean(),
    waiting: z
      .array(z.strictObject({ jobId: JobId, execId: z.string(), dueAt: Instant }))
      .meta({ description: 'The first ten executions that are due and wait for the key, in their order.' }),
  })
  .meta({
    id: 'OrderingKey',
    description: 'The state of an ordering key: which execution holds it, and which wait for it.',
  });
export type OrderingKeyView = z.output<typeof OrderingKeyView>;

export const EXECUTION_OPERATIONS = {
  listExecutions: {
    tag: 'Executions',
    summary: 'List a job’s executions',
    description:
      'Newest first, unless `order=asc`. Executions of a deleted job stay in the list until their retention ends.',
    responses: {
      200: { description: 'A page of executions.', schema: ExecutionPage, example: examples.executionPage },
    },
    problems: [404],
  },
  getExecution: {
    tag: 'Executions',
    summary: 'Get an execution',
    responses: {
      200: {
        description: 'The execution with its attempts.',
        schema: ExecutionView,
        example: examples.execution,
      },
    },
    problems: [404],
  },
  cancelExecution: {
    tag: 'Executions',
    summary: 'Cancel an execution',
    description:
      'A waiting execution will not start. For a running one, cancellation is requested. A failed one that blocks ' +
      'its ordering key stops blocking it. A run stops: what runs is cancelled, and then its finally tasks run, unless ' +
      '`force` is true.',
    body: { schema: CancelExecutionBody, required: false, example: {} },
    responses: {
      202: {
        description: 'The execution. A running one ends as cancelled later.',
        schema: ExecutionView,
        example: examples.cancelledExecution,
      },
    },
    problems: [404, 409],
  },
  retryExecution: {
    tag: 'Executions',
    summary: 'Retry an execution',
    description:
      'Runs a failed, cancelled or skipped execution again. It keeps its id. Its attempts start at 1 again, and its ' +
      'fence keeps rising. With `payload`, its targets get that instead of what they got before.',
    headers: ['Idempotency-Key'],
    body: { schema: RetryExecutionBody, required: false, example: { payload: { invoice: 43 } } },
    responses: {
      202: {
        description: 'The execution, which waits for its next attempt.',
        schema: ExecutionView,
        example: examples.retryingExecution,
        headers: ['Idempotency-Replayed'],
      },
    },
    problems: [404, 409, 422],
  },
  getOrderingKey: {
    tag: 'Executions',
    summary: 'Get the state of an ordering key',
    description: 'The key is a query parameter because it may contain any character.',
    responses: {
      200: {
        description: 'The state of the key. An unused key has no holder.',
        schema: OrderingKeyView,
        example: examples.orderingKey,
      },
    },
  },
  unblockOrderingKey: {
    tag: 'Executions',
    summary: 'Unblock an ordering key',
    description:
      'The next execution may run. The one that blocked the key stays failed. If the key is not blocked, nothing changes.',
    body: { schema: OrderingKeyBody, required: true, example: { orderingKey: 'customer/42' } },
    responses: {
      200: {
        description: 'The state of the key after the change.',
        schema: OrderingKeyView,
        example: { ...examples.orderingKey, holder: null, blocked: false },
      },
    },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
