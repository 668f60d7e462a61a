import * as z from 'zod';

import { PRIORITIES } from '../../contracts/pools';
import { JOB_KINDS } from '../../domain/job-kind';
import { EXECUTION_STATUSES } from '../../contracts/execution-statuses';
import { STEP_CODES, VERDICTS } from '../../domain/explain/facts';
import { MAX_IN_LOOKUP } from '../lookup-queries';
import { JobId } from '../fields';
import { Instant, JobView, nextCursor, orNull, searched } from './answers';
import { ExecutionView } from './execution';

/*
 * Bodies of responses to requests that look things up over all jobs. See `answers.ts`.
 */

const status = z.enum(EXECUTION_STATUSES);

const RunSummary = z
  .strictObject({
    execId: z.string(),
    trigger: ExecutionView.shape.trigger,
    status,
    reason: orNull(z.string()),
    dueAt: Instant,
    startedAt: orNull(Instant),
    finishedAt: orNull(Instant),
    latenessMs: orNull(z.int()),
  })
  .meta({ id: 'ExecutionSummary', description: 'The outcome of an execution, without its attempts.' });
export type RunSummary = z.output<typeof RunSummary>;

export const JobSummary = z
  .strictObject({
    jobId: JobId,
    name: z.string().optional(),
    kind: z.enum(JOB_KINDS),
    schedule: JobView.shape.schedule,
    targets: z
      .array(z.strictObject({ type: z.string(), address: z.string() }))
      .meta({ description: 'Type of each target, and its URL, its ARN or the name of its bus.' }),
    priority: z.enum(PRIORITIES),
    pool: z.string(),
    tags: z.record(z.string(), z.string()),
    status: JobView.shape.status,
    generation: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
    scheduleChangedAt: JobView.shape.scheduleChangedAt,
    pausedUntil: JobView.shape.pausedUntil,
    nextFireAt: JobView.shape.nextFireAt,
    lastExecution: orNull(RunSummary).meta({
      description: 'The newest execution that is due; null if there is none.',
    }),
    history: z.array(RunSummary).optional().meta({
      description: 'The newest executions that are due, newest first. Present if `history` is not 0.',
    }),
  })
  .meta({ id: 'JobSummary', description: 'A job without its payload, headers and policies.' });
export type JobSummary = z.output<typeof JobSummary>;
export const JobSummaryPage = z
  .strictObject({ items: z.array(JobSummary), nextCursor, complete: searched })
  .meta({ id: 'JobSummaryPage' });

export const LookupView = z
  .strictObject({
    executions: z.array(orNull(ExecutionView)).max(MAX_IN_LOOKUP).meta({
      description: 'One for each that was asked for, in the same order; null where there is none.',
    }),
  })
  .meta({ id: 'LookupResponse' });
export type LookupView = z.output<typeof LookupView>;

const incompleteReasons = z.array(z.enum(['jobs', 'time']));

export const UpcomingOfJobsView = z
  .strictObject({
    items: z.array(
      z.strictObject({
        at: Instant,
        local: z.string().meta({ description: 'Local time in the time zone of the schedule.' }),
        jobId: JobId,
        name: z.string().optional(),
      }),
    ),
    from: Instant,
    to: Instant,
    jobs: z.int().meta({ description: 'How many jobs these are the due times of.' }),
    complete: z.boolean().meta({
      description:
        'false: earlier due times than the last one may be missing, or later ones although there is room.',
    }),
    incompleteBecause: incompleteReasons.meta({
      description: '`jobs`: more than 2,000 jobs pass the filter. `time`: the request took 5 s of CPU.',
    }),
  })
  .meta({ id: 'UpcomingOfJobs', description: 'The next due times over all jobs, in order.' });
export type UpcomingOfJobsView = z.output<typeof UpcomingOfJobsView>;

export const ExecutionsOfJobsView = z
  .strictObject({
    items: z.array(ExecutionView),
    nextCursor,
    from: Instant,
    to: Instant,
    jobs: z.int().meta({ description: 'How many jobs pass the filter.' }),
    complete: z
      .boolean()
      .meta({ description: 'false: executions of the window may be missing from all pages.' }),
    incompleteBecause: z.array(z.enum(['time', 'journal', 'waiting', 'retention'])).meta({
      description:
        '`time`: the request took 5 s of CPU before it had read each job. `waiting`: an execution that waits for ' +
        'its ordering key or its job for more than an hour is not listed before it begins. `journal`: the ' +
        'journal of ends begins after the window does. `retention`: older records have been removed.',
    }),
    asOf: Instant.meta({ description: 'What has ended since may be missing.' }),
    counts: orNull(
      z.strictObject({
        succeeded: z.int(),
        failed: z.int(),
        cancelled: z.int(),
        skipped: z.int(),
        atLeast: z.boolean().meta({ description: 'true: there may be more of each.' }),
      }),
    )
      .optional()
      .meta({
        description:
          'If asked for: the ends of the window. A skipped range counts each occurrence. null: no journal.',
      }),
  })
  .meta({ id: 'ExecutionsOfJobs', description: 'A page of the executions of several jobs.' });
export type ExecutionsOfJobsView = z.output<typeof ExecutionsOfJobsView>;

export const LoadView = z
  .strictObject({
    from: Instant.meta({ description: 'The first minute.' }),
    to: Instant.meta({ description: 'The end of the last minute.' }),
    counts: z.array(z.int()).meta({
      description: 'Planned occurrences of the jobs of this page in each minute from `from` on.',
    }),
    jobs: z.int().meta({ description: 'Jobs of this page that pass the filter.' }),
    nextCursor,
  })
  .meta({ id: 'Load', description: 'Planned occurrences by minute. The sum of all pages is exact.' });
export type LoadView = z.output<typeof LoadView>;

const spread = (description: string) =>
  orNull(z.strictObject({ p50: z.int(), p95: z.int(), max: z.int() })).meta({ description });

export const JobStatsView = z
  .strictObject({
    jobId: JobId,
    from: Instant,
    to: Instant,
    rows: z
      .int()
      .meta({ description: 'From how many rows of the history this is computed: the newest 2,000.' }),
    complete: z.boolean().meta({ description: 'false: the history has more rows since `from`.' }),
    since: orNull(Instant).meta({ description: 'Due time of the oldest row that was read.' }),
    counts: z
      .partialRecord(z.enum(EXECUTION_STATUSES), z.int())
      .meta({ description: 'Executions by status. A skipped range counts each of its occurrences.' }),
    successRate: orNull(z.number()).meta({
      description: 'Succeeded, of those that succeeded or failed: from 0 to 1; null if none did.',
    }),
    durationMs: spread(
      'From the start of the first attempt to the end, of those that succeeded or failed. ' +
        'After a user retry, the first attempt since counts.',
    ),
    latenessMs: spread('From the due time to the start of the first attempt.'),
    cost: z
      .strictObject({ attempts: z.int(), calledMs: z.int(), usdAtLeast: z.number(), usdAtMost: z.number() })
      .meta({
        description:
          'An estimate at the prices of us-east-1: each attempt, and the time that executors wait for targets. ' +
          'At least: ten calls share an executor. At most: each has its own.',
      }),
  })
  .meta({ id: 'JobStats', description: 'How the executions of a job went.' });
export type JobStatsView = z.output<typeof JobStatsView>;

// The body of an explanation. As in `answers.ts`, operations import only its type.

const Evidence = z.strictObject({
  text: z.string().meta({ description: 'Continues the words “known from”.' }),
  changes: z.array(z.int()).optional().meta({ description: 'Numbers of changes of the job.' }),
  execId: z.string().optional(),
  jobId: z.optional(JobId).meta({ description: 'The job of the execution, if it may be another one.' }),
});

export const ExplainView = z
  .strictObject({
    at: Instant.meta({ description: 'The due time that is explained.' }),
    verdict: z.enum(VERDICTS).meta({
      description:
        '`ran`: it began within 30 s of its due time. `late`: it began later. `skipped`: it did not run, by a ' +
        'policy, a change or a user. `waits`: it is due and has not begun. `lost`: it has no record two hours after ' +
        'its due time. `unknown`: the evidence is not kept any more.',
    }),
    sentence: z
      .string()
      .meta({ description: 'The verdict in one sentence, in local times of the schedule.' }),
    steps: z.array(
      z.strictObject({
        code: z.enum(STEP_CODES),
        holds: orNull(z.boolean()).meta({
          description: 'true: it speaks for a run. false: it speaks against one. null: it is not known.',
        }),
        text: z.string(),
        evidence: orNull(Evidence).meta({ description: 'Where this is known from.' }),
      }),
    ),
    execution: orNull(ExecutionView).meta({
      description: 'The record of the occurrence: its own, or the skipped range that covers it.',
    }),
  })
  .meta({ id: 'Explanation', description: 'Why a job ran, did not run, or will run at an instant.' });
export type ExplainView = z.output<typeof ExplainView>;
