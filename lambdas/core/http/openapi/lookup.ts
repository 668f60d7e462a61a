import type { Operation } from '../../contracts/routes';
import { LookupBody } from '../lookup-queries';
import { JobPage } from './answers';
import {
  ExplainView,
  ExecutionsOfJobsView,
  JobStatsView,
  JobSummaryPage,
  LoadView,
  LookupView,
  UpcomingOfJobsView,
} from './lookup-answers';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

const { execId } = examples.execution;
const spread = { p50: 271, p95: 904, max: 2_013 };

export const LOOKUP_OPERATIONS = {
  listJobs: {
    tag: 'Jobs',
    summary: 'List jobs',
    description:
      'Sorted by jobId. A page may be short or empty and still have a next page. With `fields=summary`, the items ' +
      'are summaries. With `contains`, all jobs are read for a page: it ends after 20 hits or 3 s.',
    responses: {
      200: {
        description: 'A page of jobs, or of their summaries.',
        schema: JobPage.or(JobSummaryPage),
        example: examples.jobPage,
      },
    },
  },
  listExecutionsOfJobs: {
    tag: 'Executions',
    summary: 'List the executions of several jobs',
    description:
      'Newest due time first, over at most 500 jobs that pass the filter: more are 400. Jobs that were deleted are ' +
      'left out. With the journal of ends, what has ended is listed over any number of jobs. Without a filter, ' +
      'deleted jobs are among them. A page may be short or empty and still have a next page.',
    responses: {
      200: {
        description: 'A page of executions.',
        schema: ExecutionsOfJobsView,
        example: {
          items: [examples.execution],
          nextCursor: null,
          from: '2026-12-01T00:00:00.000Z',
          to: '2026-12-02T00:00:00.000Z',
          jobs: 1,
          complete: true,
          incompleteBecause: [],
          asOf: '2026-12-02T00:00:00.000Z',
        },
      },
    },
  },
  lookupExecutions: {
    tag: 'Executions',
    summary: 'Look up to 100 executions up',
    description:
      'Each is answered as by the request for that execution alone, and null takes the place of 404.',
    body: {
      schema: LookupBody,
      required: true,
      example: {
        executions: [
          { jobId: examples.execution.jobId, execId },
          { jobId: examples.execution.jobId, execId: '20261202T083000.000Z' },
        ],
      },
    },
    responses: {
      200: {
        description: 'The executions, in the order of the request.',
        schema: LookupView,
        example: { executions: [examples.execution, null] },
      },
    },
  },
  listUpcomingOfJobs: {
    tag: 'Schedules',
    summary: 'List the next due times over all jobs',
    description:
      'In order, over the first 2,000 jobs that pass the filter. The request ends after 5 s of CPU; it then says ' +
      '`complete: false`.',
    responses: {
      200: {
        description: 'The next due times.',
        schema: UpcomingOfJobsView,
        example: {
          items: examples.times.times.map((time) => ({
            ...time,
            jobId: examples.job.jobId,
            name: examples.job.name,
          })),
          from: '2026-12-01T10:15:02.118Z',
          to: '2026-12-04T00:00:00.000Z',
          jobs: 1,
          complete: true,
          incompleteBecause: [],
        },
      },
    },
  },
  getLoad: {
    tag: 'Schedules',
    summary: 'Count planned occurrences by minute',
    description:
      'A page has the counts of at most 500 jobs, or of those that 2 s of CPU were enough for. Add up the pages: ' +
      'the sum is exact for the definitions as they were read. Manual runs and retries are not planned.',
    responses: {
      200: {
        description: 'The counts of a page of jobs.',
        schema: LoadView,
        example: {
          from: '2026-12-02T08:29:00.000Z',
          to: '2026-12-02T08:32:00.000Z',
          counts: [0, 1, 0],
          jobs: 1,
          nextCursor: null,
        },
      },
    },
  },
  explainOccurrence: {
    tag: 'Jobs',
    summary: 'Explain why a job ran or did not run at a time',
    description:
      'From what is on record: definition and changes, schedule, executions, stops of the deployment, and what the ' +
      'execution waits for. Works for deleted jobs too, as far as their records are kept.',
    responses: {
      200: {
        description: 'The verdict, and the steps that lead to it.',
        schema: ExplainView,
        example: {
          at: '2026-12-01T08:30:00.000Z',
          verdict: 'ran',
          sentence:
            'The occurrence of Tue 2026-12-01 09:30 ran in time: it began at Tue 2026-12-01 09:30 and is succeeded.',
          steps: [
            {
              code: 'planned',
              holds: true,
              text: 'Tue 2026-12-01 09:30 is an occurrence of generation 1: 30 9 * * MON-FRI in Europe/Berlin.',
              evidence: {
                text: 'the schedule that was current from Mon 2026-11-30 16:02:11 on',
                changes: [1],
              },
            },
            {
              code: 'ledger',
              holds: true,
              text: 'The execution succeeded.',
              evidence: { text: `execution ${execId}`, execId },
            },
          ],
          execution: examples.execution,
        },
      },
    },
    problems: [404],
  },
  getJobStats: {
    tag: 'Jobs',
    summary: 'Get statistics of a job',
    description:
      'From the newest 2,000 rows of its history at most. `rows` says how many were read, and `complete` whether ' +
      'that were all.',
    responses: {
      200: {
        description: 'How the executions of the job went.',
        schema: JobStatsView,
        example: {
          jobId: examples.job.jobId,
          from: '2026-11-01T10:15:02.118Z',
          to: '2026-12-01T10:15:02.118Z',
          rows: 22,
          complete: true,
          since: '2026-11-02T08:30:00.000Z',
          counts: { succeeded: 21, failed: 1 },
          successRate: 0.9545,
          durationMs: spread,
          latenessMs: { p50: 41, p95: 88, max: 120 },
          cost: { attempts: 24, calledMs: 7_120, usdAtLeast: 0.000064, usdAtMost: 0.000085 },
        },
      },
    },
    problems: [404],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
