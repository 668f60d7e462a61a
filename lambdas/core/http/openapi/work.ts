import * as z from 'zod';

import { PRIORITIES } from '../../contracts/pools';
import type { Operation } from '../../contracts/routes';
import { WorkQueueName, ClaimBody } from '../work';
import { LOG_STREAMS, LogBody } from '../log';
import { EmptyBody } from '../job';
import { Instant, nextCursor, orNull, ReportView } from './answers';
import type { OperationSpec } from './operation-spec';

/* Bodies of responses about work queues and their workers. Operations import only their types. */

const Work = z
  .strictObject({
    token: z.string().meta({
      description: 'Authorizes the reports of this attempt: heartbeat, complete, fail, log and release.',
    }),
    jobId: z.string(),
    execId: z.string().meta({ description: 'If it is a task: the execId of its run.' }),
    taskId: z.string().optional().meta({ description: 'Only of a task of a workflow.' }),
    key: z.string().optional().meta({ description: 'The key of the run, if it has one.' }),
    attempt: z.int(),
    fence: z.int().meta({ description: 'Rises with each claim of the execution.' }),
    dueAt: Instant,
    claimedAt: Instant,
    deadline: Instant.meta({
      description: 'End of the attempt: the claim and the `timeout` of the job. No heartbeat extends it.',
    }),
    heartbeatTimeout: z.string().meta({
      description: 'The lease is lost this long after the last heartbeat.',
      examples: ['60s'],
    }),
    payload: z.unknown().optional().meta({ description: 'Absent if the job has none.' }),
    trigger: z.enum(['schedule', 'manual', 'catch-up', 'after', 'event', 'workflow', 'backfill', 'task']),
    deliveryDepth: z.int().meta({ description: 'How many deliveries led to this one, from 1.' }),
    traceparent: z.string().meta({ description: 'W3C trace context of the attempt.' }),
    tracestate: z.string().optional().meta({ description: 'What tracing systems have put beside it.' }),
  })
  .meta({ id: 'Work', description: 'A claimed execution: its lease is the holder’s of the token.' });
export type WorkView = z.output<typeof Work>;

export const ClaimView = z
  .strictObject({
    work: z.array(Work),
    retryAfter: z
      .int()
      .optional()
      .meta({
        description:
          'Seconds after which to ask again. Present if the request could not wait: too many claims of the project wait, ' +
          'or the store throttles.',
      }),
  })
  .meta({ id: 'ClaimedWork', description: 'Executions for the worker that asked; none if none is due.' });
export type ClaimView = z.output<typeof ClaimView>;

const waiting = {
  queue: WorkQueueName,
  jobs: z.int().meta({ description: 'How many jobs name the queue, up to 1,000.' }),
  waiting: z.int().meta({ description: 'How many executions wait for a worker.' }),
  waitingIs: z.enum(['exact', 'at-least']).meta({
    description: '`at-least`: 1,000 were counted, and there may be more (≥).',
  }),
  oldestOfferedAt: orNull(Instant).meta({
    description: 'Since when the oldest of those that were counted waits.',
  }),
};

const WorkersView = z.array(z.strictObject({ worker: z.string(), lastSeenAt: Instant }));

const WorkQueueView = z
  .strictObject({
    ...waiting,
    workers: WorkersView.optional().meta({
      description: 'With `workers=true`: those that claimed with a name within the last hour, at most 100.',
    }),
  })
  .meta({ id: 'WorkQueue', description: 'A queue that jobs name, and how many executions wait in it.' });
export type WorkQueueView = z.output<typeof WorkQueueView>;

const WorkQueuePage = z
  .strictObject({ items: z.array(WorkQueueView), nextCursor })
  .meta({ id: 'WorkQueuePage' });

export const WorkQueueDetailView = z
  .strictObject({
    ...waiting,
    first: z
      .array(
        z.strictObject({
          jobId: z.string(),
          execId: z.string(),
          taskId: z.string().optional(),
          attempt: z.int(),
          priority: z.enum(PRIORITIES),
          startAt: Instant,
          offeredAt: Instant,
        }),
      )
      .meta({ description: 'The first executions that wait, at most 25, by priority and then by time.' }),
    workers: WorkersView.meta({
      description: 'Workers that claimed with a name within the last hour, at most 100.',
    }),
  })
  .meta({ id: 'WorkQueueDetail', description: 'A work queue, what waits in it, and its workers.' });
export type WorkQueueDetailView = z.output<typeof WorkQueueDetailView>;

/* Bodies of responses about logs. Operations import only their types. */

export const LogReceiptView = z
  .strictObject({
    bytes: z.int().meta({ description: 'Bytes of text of the attempt so far, as far as they count.' }),
    truncated: z.boolean().meta({
      description:
        'true: the limit of the attempt or of the project’s day is reached, and nothing more is kept.',
    }),
  })
  .meta({ id: 'LogReceipt', description: 'What became of a chunk.' });
export type LogReceiptView = z.output<typeof LogReceiptView>;

export const LogPage = z
  .strictObject({
    items: z.array(
      z.strictObject({
        attempt: z.int(),
        at: Instant,
        stream: z.enum([...LOG_STREAMS, 'system']).meta({
          description: '`system`: the line is Quarterjack’s own, such as the one that says `truncated`.',
        }),
        text: z.string(),
      }),
    ),
    nextCursor: orNull(z.string()).meta({
      description:
        'Cursor of what follows. While an attempt works, there always is one, also after an empty page; null at the end.',
    }),
  })
  .meta({ id: 'LogPage', description: 'Lines of a log, in order.' });
export type LogPage = z.output<typeof LogPage>;

const work = {
  token: 'mEXAMPLE-token-of-the-attempt',
  jobId: 'load-orders',
  execId: '20261201T020000.000Z',
  attempt: 1,
  fence: 1,
  dueAt: '2026-12-01T02:00:00.000Z',
  claimedAt: '2026-12-01T02:00:00.412Z',
  deadline: '2026-12-01T05:00:00.412Z',
  heartbeatTimeout: '60s',
  payload: { table: 'orders' },
  trigger: 'schedule',
  deliveryDepth: 1,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

const queue = {
  queue: 'warehouse',
  jobs: 3,
  waiting: 1,
  waitingIs: 'exact',
  oldestOfferedAt: '2026-12-01T02:00:00.021Z',
};

const log = {
  items: [{ attempt: 1, at: '2026-12-01T02:00:01.000Z', stream: 'stdout', text: '7 rows loaded' }],
  nextCursor: null,
};

const LOG =
  'Lines in order. While an attempt works, the page has a cursor that goes on: ask again with it as `after`. ' +
  'With `Accept: text/plain` the response is the text of the page alone, and the header `Quarterjack-Next-Cursor` ' +
  'has the cursor, if there is one.';

const logOf = (summary: string): OperationSpec => ({
  tag: 'Executions',
  summary,
  description: LOG,
  responses: { 200: { description: 'A page of the log.', schema: LogPage, example: log } },
  problems: [404],
});

export const WORK_OPERATIONS = {
  claimWork: {
    tag: 'Work',
    summary: 'Claim executions that wait in a work queue',
    description:
      'Hands out executions of jobs with the target `worker`, by priority and then by time, each with a token for its ' +
      'reports. Their leases last for `heartbeatTimeout` and then for as long after each heartbeat. With `wait`, the ' +
      'request waits until there is work, or until the time is over. A claim that is repeated with the same ' +
      '`Idempotency-Key` within 5 minutes gets the same work.',
    headers: ['Idempotency-Key'],
    body: {
      schema: ClaimBody,
      required: true,
      example: { queue: 'warehouse', wait: '20s', worker: 'host-1/4711' },
    },
    responses: {
      200: {
        description: 'The claimed work; none if none is due.',
        schema: ClaimView,
        example: { work: [work] },
      },
    },
    problems: [422],
  },
  releaseWork: {
    tag: 'Work',
    summary: 'Give claimed work back before it has begun',
    description:
      'The execution waits in its queue again and costs none of its attempts. From the third release in a row, it waits ' +
      '10 s first, and twice as long each time, up to 10 minutes. After 20 it has failed as `crashed`. If its ' +
      'cancellation was requested, or its job is deleted or paused, it is cancelled. Counts towards the quota ' +
      '`reportsPerMinute`.',
    body: { schema: EmptyBody, required: false, example: {} },
    responses: {
      200: { description: 'It is given back.', schema: ReportView, example: { status: 'retrying' } },
    },
    problems: [409],
  },
  listWorkQueues: {
    tag: 'Work',
    summary: 'List the work queues that jobs name',
    responses: {
      200: {
        description: 'A page of the queues, by name.',
        schema: WorkQueuePage,
        example: { items: [queue], nextCursor: null },
      },
    },
  },
  getWorkQueue: {
    tag: 'Work',
    summary: 'Get a work queue: what waits in it, and its workers',
    description: 'A queue that no job names is empty.',
    responses: {
      200: {
        description: 'The queue.',
        schema: WorkQueueDetailView,
        example: {
          ...queue,
          first: [
            {
              jobId: 'load-orders',
              execId: '20261201T020000.000Z',
              attempt: 1,
              priority: 'medium',
              startAt: '2026-12-01T02:00:00.000Z',
              offeredAt: '2026-12-01T02:00:00.021Z',
            },
          ],
          workers: [{ worker: 'host-1/4711', lastSeenAt: '2026-12-01T01:59:58.000Z' }],
        },
      },
    },
    problems: [404],
  },
  appendLog: {
    tag: 'Attempts',
    summary: 'Append lines to the log of an attempt',
    description:
      'A chunk that is repeated with equal lines changes nothing; with other lines it is 409. After the end of the ' +
      'lease, chunks are taken for another 60 seconds. Beyond the limits of the attempt or of the day, nothing more is ' +
      'kept, and the log says so once. Counts towards the quota `reportsPerMinute`. A report that gets 429 has changed ' +
      'nothing.',
    body: {
      schema: LogBody,
      required: true,
      example: {
        chunk: 0,
        lines: [{ at: '2026-12-01T02:00:01.000Z', stream: 'stdout', text: '7 rows loaded' }],
      },
    },
    responses: {
      200: {
        description: 'The chunk is kept, or nothing more is.',
        schema: LogReceiptView,
        example: { bytes: 13, truncated: false },
      },
    },
    problems: [409],
  },
  getExecutionLog: logOf('Read the log of an execution'),
  getTaskLog: logOf('Read the log of a task of a run'),
} satisfies Partial<Record<Operation, OperationSpec>>;
