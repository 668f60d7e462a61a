import * as z from 'zod';

import { PRIORITIES } from '../contracts/pools';
import { Instant, nextCursor, orNull } from './answers';
import { WorkQueueName } from './work';

/* Bodies of responses about work queues and their workers. Operations import only their types. */

const Work = z
  .strictObject({
    token: z.string().meta({
      description: 'Authorizes the reports of this attempt: heartbeat, complete, fail, log and release.',
    }),
    jobId: z.string(),
    execId: z.string().meta({ description: 'If it is a task: the execId of its run.' }),
    taskId: z.string().optional().meta({ description: 'Only of a task of a workflow.' }),
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
    traceparent: z.string().meta({ description: 'W3C trace context of the attempt.' }),
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

const WorkQueueView = z
  .strictObject(waiting)
  .meta({ id: 'WorkQueue', description: 'A queue that jobs name, and how many executions wait in it.' });
export type WorkQueueView = z.output<typeof WorkQueueView>;

export const WorkQueuePage = z
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
    workers: z
      .array(z.strictObject({ worker: z.string(), lastSeenAt: Instant }))
      .meta({ description: 'Workers that claimed with a name within the last hour, at most 100.' }),
  })
  .meta({ id: 'WorkQueueDetail', description: 'A work queue, what waits in it, and its workers.' });
export type WorkQueueDetailView = z.output<typeof WorkQueueDetailView>;
