import type { Operation } from '../../contracts/routes';
import { JobView } from '../answers';
import { ChangePage, ChangeView } from '../change-answers';
import { EmptyBody } from '../job';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

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
