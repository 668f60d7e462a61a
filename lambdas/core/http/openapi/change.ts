import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { EmptyBody } from '../job';
import { ActorView } from './actor-answers';
import { definitionFields, Instant, nextCursor, orNull, JobView } from './answers';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

// Bodies of responses about the changes of a job. As in `answers.ts`, operations import only their types.

export const ChangeView = z
  .strictObject({
    number: z.int().meta({ description: 'The `changeNumber` that the job had after the change.' }),
    what: z.enum(['created', 'changed', 'paused', 'resumed', 'replanned', 'restored', 'deleted']),
    at: Instant,
    by: orNull(ActorView).meta({ description: 'Who made the change; null if that is not known.' }),
    note: orNull(z.string()).meta({ description: 'The `Quarterjack-Note` of the request.' }),
    createdAt: Instant.meta({
      description: 'When the job was created. It tells a job from a later one with the same jobId.',
    }),
    restoredFrom: z
      .int()
      .optional()
      .meta({ description: 'Only if the job was restored: the number of the change that was restored.' }),
    status: orNull(z.enum(['active', 'paused'])).meta({
      description: 'The status after the change; null if the job was deleted.',
    }),
    pausedUntil: Instant.optional().meta({
      description: 'Only while the job was paused until a time: when it was to be resumed by itself.',
    }),
    patch: orNull(z.record(z.string(), z.unknown())).meta({
      description:
        'The change of the definition as a JSON merge patch. Null if one of the two definitions is not kept, or if the ' +
        'change sets a field to null, which a merge patch cannot say.',
    }),
    definition: orNull(z.strictObject(definitionFields)).meta({
      description:
        'The definition after the change, as PUT takes it. Null if the job was deleted, or the definition was.',
    }),
  })
  .meta({
    id: 'Change',
    description:
      'A change of a job. Without the scope `jobs:write`, the values of these headers are `[hidden]`: ' +
      '`authorization`, `cookie`, `x-api-key`, and those whose names end in `-token` or `-secret`.',
  });
export type ChangeView = z.output<typeof ChangeView>;

const ChangePage = z.strictObject({ items: z.array(ChangeView), nextCursor }).meta({ id: 'ChangePage' });

const { jobId: _, status, ...job } = examples.job;
const {
  generation: _g,
  createdAt,
  updatedAt: _u,
  by,
  changeNumber: _c,
  scheduleChangedAt: _s,
  nextFireAt: _n,
  lastExecution: _l,
  ...definition
} = job;
const change = {
  number: 2,
  what: 'changed',
  at: '2026-12-01T08:30:00.000Z',
  by,
  note: 'invoices can wait',
  createdAt,
  status,
  patch: { priority: 'low' },
  definition: { ...definition, priority: 'low' },
};
const restored = {
  ...examples.job,
  changeNumber: 3,
};

export const CHANGE_OPERATIONS = {
  listJobChanges: {
    tag: 'Jobs',
    summary: 'List the changes of a job',
    description:
      'Newest first. They are kept as long as executions, counted from the change that followed. Those of a deleted job ' +
      'are listed too, also if a later job has its jobId.',
    responses: {
      200: {
        description: 'A page of changes.',
        schema: ChangePage,
        example: { items: [change], nextCursor: null },
      },
    },
    problems: [404],
  },
  getJobChange: {
    tag: 'Jobs',
    summary: 'Get a change of a job',
    responses: { 200: { description: 'The change.', schema: ChangeView, example: change } },
    problems: [404],
  },
  restoreJob: {
    tag: 'Jobs',
    summary: 'Restore a job',
    description:
      'The job gets the definition that it had after the change, and keeps its status. A deleted job is created again, with ' +
      'the status that it had then. The definition meets the same checks and quotas as that of a PUT.',
    headers: ['If-Match', 'If-None-Match'],
    body: { schema: EmptyBody, required: false, example: {} },
    responses: {
      200: { description: 'The restored job.', schema: JobView, example: restored, headers: ['ETag'] },
      201: {
        description: 'The job, which was deleted, and is created again.',
        schema: JobView,
        example: { ...restored, lastExecution: null },
        headers: ['ETag', 'Location'],
      },
    },
    problems: [404, 409, 412],
  },
  deleteJobChange: {
    tag: 'Jobs',
    summary: 'Delete the definition of a change',
    description:
      'For a definition that should not have been stored, such as one with a secret. The change stays in the list without ' +
      'definition and patch. The definition that the job has now cannot be deleted (409).',
    responses: { 204: { description: 'The definition is deleted.' } },
    problems: [404, 409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
