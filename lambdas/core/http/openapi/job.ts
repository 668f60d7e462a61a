import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { EmptyBody, JobBatchBody, JobBody, JobPatch, PauseBody } from '../job';
import { CancelRunBody, RunBody, RunsBody } from '../run';
import { BatchView, JobView, ProblemView, TimesView } from './answers';
import { ExecutionView } from './execution';
import * as examples from './examples';
import type { OperationSpec, ResponseSpec } from './operation-spec';

const changed: ResponseSpec = {
  description: 'The job after the change.',
  schema: JobView,
  example: examples.job,
  headers: ['ETag'],
};
const created: ResponseSpec = { ...changed, description: 'The new job.', headers: ['ETag', 'Location'] };

const RunOutcome = z
  .strictObject({
    index: z.int().meta({ description: 'Index of the item in the request.' }),
    status: z.int().meta({ description: 'The status that a request for this run alone would get.' }),
    execution: z.lazy(() => ExecutionView).optional(),
    problem: z.lazy(() => ProblemView).optional(),
  })
  .meta({ id: 'RunOutcome', description: 'An execution, as `run` returns it, or why there is none.' });
export type RunOutcomeView = z.output<typeof RunOutcome>;

export const RunOutcomesView = z.strictObject({ outcomes: z.array(RunOutcome) }).meta({ id: 'RunOutcomes' });
export type RunOutcomesView = z.output<typeof RunOutcomesView>;

export const CancelledRunView = z
  .strictObject({
    outcome: z.enum(['cancelled', 'cancel-requested', 'ended', 'unknown']),
    execId: z.string().optional(),
  })
  .meta({ id: 'CancelledRun' });
export type CancelledRunView = z.output<typeof CancelledRunView>;

export const JOB_OPERATIONS = {
  createJob: {
    tag: 'Jobs',
    summary: 'Create a job',
    description:
      'With an `Idempotency-Key`, a repeated request gets the same response as long as the job exists.',
    headers: ['Idempotency-Key'],
    body: { schema: JobBody, required: true, example: examples.jobBody },
    responses: { 201: { ...created, headers: ['ETag', 'Location', 'Idempotency-Replayed'] } },
    problems: [409, 422],
  },
  createJobs: {
    tag: 'Jobs',
    summary: 'Create up to 100 jobs',
    description:
      'Each job is created or rejected independently of the others. With an `Idempotency-Key`, the key of an item is ' +
      'made from that key and its index. The body has at most 1 MB. With `replace=true` each item is a PUT, and the ' +
      'key is not used. With `dryRun=true` nothing is changed: each outcome is that of the same request without it.',
    headers: ['Idempotency-Key'],
    body: { schema: JobBatchBody, required: true, example: { jobs: [examples.jobBody] } },
    responses: {
      207: {
        description: 'The outcome of each item, in the order of the request.',
        schema: BatchView,
        example: { outcomes: [{ index: 0, status: 201, job: examples.job, replayed: false }] },
      },
    },
    problems: [409],
  },
  getJob: {
    tag: 'Jobs',
    summary: 'Get a job',
    headers: ['If-Match', 'If-None-Match'],
    responses: {
      200: { ...changed, description: 'The job with its newest execution.' },
      304: { description: 'The client has this state of the job.', headers: ['ETag'] },
    },
    problems: [404, 412],
  },
  putJob: {
    tag: 'Jobs',
    summary: 'Create or replace a job',
    description:
      'For schedules kept as code. A job that already equals the body is not changed. A paused job stays paused. ' +
      'With `dryRun=true` nothing is changed: the response is 200 with the job as it would be, and the header ' +
      '`Quarterjack-Dry-Run` says what would be done. Its ETag is that of the stored job only for `unchanged`.',
    headers: ['If-Match', 'If-None-Match'],
    body: { schema: JobBody, required: true, example: examples.namedJobBody },
    responses: {
      200: { ...changed, headers: ['ETag', 'Quarterjack-Dry-Run'] },
      201: created,
    },
    problems: [409, 412],
  },
  patchJob: {
    tag: 'Jobs',
    summary: 'Change a job',
    description: 'The body is a JSON merge patch (RFC 7386): null removes a field, objects are merged.',
    headers: ['If-Match', 'If-None-Match'],
    body: {
      schema: JobPatch,
      required: true,
      example: { priority: 'high', tags: { team: null } },
      types: ['application/merge-patch+json', 'application/json'],
    },
    responses: { 200: changed },
    problems: [404, 409, 412],
  },
  deleteJob: {
    tag: 'Jobs',
    summary: 'Delete a job',
    description: 'The history of the job stays readable until its retention ends.',
    headers: ['If-Match', 'If-None-Match'],
    responses: { 204: { description: 'The job is deleted. No execution of it starts any more.' } },
    problems: [404, 409, 412],
  },
  pauseJob: {
    tag: 'Jobs',
    summary: 'Pause a job',
    description:
      'No execution of the job starts any more, except runs that are asked for then. With `until` the job is resumed ' +
      'by itself: what is due from that time on fires. A pause of a paused job replaces `until`, or takes it away.',
    headers: ['If-Match', 'If-None-Match'],
    body: { schema: PauseBody, required: false, example: { until: '2026-12-24T08:00:00Z' } },
    responses: { 200: { ...changed, example: examples.pausedJob } },
    problems: [404, 409, 412],
  },
  resumeJob: {
    tag: 'Jobs',
    summary: 'Resume a job',
    description: 'The first occurrence to fire is the next one after now. Resuming itself fires nothing.',
    headers: ['If-Match', 'If-None-Match'],
    body: { schema: EmptyBody, required: false, example: {} },
    responses: { 200: changed },
    problems: [404, 409, 412],
  },
  runJob: {
    tag: 'Jobs',
    summary: 'Run a job',
    description:
      'Starts one execution, now or at a later time, and does not change the schedule. A paused job can be run now ' +
      'too; its pause holds later runs. A later run uses the job as it is then.',
    headers: ['Idempotency-Key'],
    body: {
      schema: RunBody,
      required: false,
      example: { payload: { invoice: 43 }, delay: '30m', key: 'unpaid-43' },
    },
    responses: {
      200: {
        description: 'The run that has the key, kept or replaced.',
        schema: ExecutionView,
        example: { ...examples.waitingExecution, key: 'unpaid-43', created: false },
        headers: ['Location'],
      },
      202: {
        description: 'The execution, which waits for its executor.',
        schema: ExecutionView,
        example: examples.waitingExecution,
        headers: ['Location', 'Idempotency-Replayed'],
      },
    },
    problems: [404, 409, 422],
  },
  runJobMany: {
    tag: 'Jobs',
    summary: 'Run a job up to 100 times',
    description:
      'Each item is a request to run the job, and has an outcome of its own. Items with one key take effect in their ' +
      'order. With an `Idempotency-Key`, the key of an item is made from that key and its index. The body has at ' +
      'most 1 MB.',
    headers: ['Idempotency-Key'],
    body: {
      schema: RunsBody,
      required: true,
      example: { runs: [{ payload: { invoice: 43 }, delay: '30m', key: 'unpaid-43' }] },
    },
    responses: {
      207: {
        description: 'The outcome of each item, in the order of the request.',
        schema: RunOutcomesView,
        example: { outcomes: [{ index: 0, status: 202, execution: examples.waitingExecution }] },
      },
    },
    problems: [404, 409],
  },
  cancelKeyedRun: {
    tag: 'Executions',
    summary: 'Cancel the run of a key',
    description:
      'The run that has the key, or had it last. `cancelled`: it never starts. `cancel-requested`: it runs, and may ' +
      'still succeed. `ended`: it has ended otherwise. `unknown`: no run is known by that key.',
    body: { schema: CancelRunBody, required: true, example: { key: 'unpaid-42' } },
    responses: {
      200: {
        description: 'What has become of it.',
        schema: CancelledRunView,
        example: { outcome: 'cancelled', execId: examples.waitingExecution.execId },
      },
    },
    problems: [404, 409],
  },
  listUpcoming: {
    tag: 'Jobs',
    summary: 'List the next due times',
    description: 'The list is empty while the job is paused, unless its pause has an end.',
    responses: { 200: { description: 'The next due times.', schema: TimesView, example: examples.times } },
    problems: [404],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
