import type { Operation } from '../../contracts/routes';
import { BatchView, ExecutionView, JobPage, JobView, TimesView } from '../answers';
import { EmptyBody, JobBatchBody, JobBody, JobPatch, RunBody } from '../job';
import * as examples from './examples';
import type { Answer, OperationSpec } from './operation-spec';

const changed: Answer = {
  description: 'The job as it is now.',
  schema: JobView,
  example: examples.job,
  headers: ['ETag'],
};
const created: Answer = { ...changed, description: 'The new job.', headers: ['ETag', 'Location'] };

export const JOB_OPERATIONS = {
  createJob: {
    tag: 'Jobs',
    summary: 'Create a job',
    description:
      'With an `Idempotency-Key`, the same request again gives the same answer, for as long as the job lives.',
    headers: ['Idempotency-Key'],
    body: { schema: JobBody, required: true, example: examples.jobBody },
    answers: { 201: { ...created, headers: ['ETag', 'Location', 'Idempotency-Replayed'] } },
    problems: [409, 422],
  },
  createJobs: {
    tag: 'Jobs',
    summary: 'Create up to 100 jobs',
    description:
      'Each is made, or refused, as if it had come alone. With an `Idempotency-Key`, each item has a key of its own by its ' +
      'place in the batch. 1 MB together.',
    headers: ['Idempotency-Key'],
    body: { schema: JobBatchBody, required: true, example: { jobs: [examples.jobBody] } },
    answers: {
      207: {
        description: 'An outcome for each item, in order.',
        schema: BatchView,
        example: { outcomes: [{ index: 0, status: 201, job: examples.job, replayed: false }] },
      },
    },
    problems: [409],
  },
  listJobs: {
    tag: 'Jobs',
    summary: 'List jobs',
    description: 'By jobId. A page may be short, or empty, and still have a next one.',
    answers: { 200: { description: 'A page of jobs.', schema: JobPage, example: examples.jobPage } },
  },
  getJob: {
    tag: 'Jobs',
    summary: 'Get a job',
    answers: { 200: { ...changed, description: 'The job, with its newest execution.' } },
    problems: [404],
  },
  putJob: {
    tag: 'Jobs',
    summary: 'Create or replace a job',
    description:
      'For schedules kept as code. What is equal already stays as it is; a paused job stays paused.',
    headers: ['If-Match', 'If-None-Match'],
    body: { schema: JobBody, required: true, example: examples.namedJobBody },
    answers: { 200: changed, 201: created },
    problems: [409, 412],
  },
  patchJob: {
    tag: 'Jobs',
    summary: 'Change a job',
    description: 'A JSON merge patch (RFC 7386): null removes, objects merge.',
    headers: ['If-Match'],
    body: {
      schema: JobPatch,
      required: true,
      example: { priority: 'high', tags: { team: null } },
      types: ['application/merge-patch+json', 'application/json'],
    },
    answers: { 200: changed },
    problems: [404, 409, 412],
  },
  deleteJob: {
    tag: 'Jobs',
    summary: 'Delete a job',
    description: 'Its history stays readable until its retention ends.',
    headers: ['If-Match'],
    answers: { 204: { description: 'Gone: nothing of it starts any more.' } },
    problems: [404, 412],
  },
  pauseJob: {
    tag: 'Jobs',
    summary: 'Pause a job',
    description: 'Nothing of it starts any more, but for manual runs.',
    headers: ['If-Match'],
    body: { schema: EmptyBody, required: false, example: {} },
    answers: { 200: { ...changed, example: examples.pausedJob } },
    problems: [404, 409, 412],
  },
  resumeJob: {
    tag: 'Jobs',
    summary: 'Resume a job',
    description: 'The next occurrence after now is the first to fire. Never fires by itself.',
    headers: ['If-Match'],
    body: { schema: EmptyBody, required: false, example: {} },
    answers: { 200: changed },
    problems: [404, 409, 412],
  },
  runJob: {
    tag: 'Jobs',
    summary: 'Run a job now',
    description: 'Leaves the schedule alone. A paused job may be run too.',
    headers: ['Idempotency-Key'],
    body: { schema: RunBody, required: false, example: { payload: { invoice: 43 } } },
    answers: {
      202: {
        description: 'The execution, waiting for its executor.',
        schema: ExecutionView,
        example: examples.waitingExecution,
        headers: ['Location', 'Idempotency-Replayed'],
      },
    },
    problems: [404, 409, 422],
  },
  listUpcoming: {
    tag: 'Jobs',
    summary: 'List the next due times',
    description: 'None while the job is paused.',
    answers: { 200: { description: 'Due times.', schema: TimesView, example: examples.times } },
    problems: [404],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
