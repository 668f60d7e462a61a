import type { GetScheduleCommandOutput } from '@aws-sdk/client-scheduler';

import type { AllowedEntry } from '../action';
import { type Import, type ImportedJob, jobIdOf, nameOf, refuseDuplicates, SOURCE_TAG } from '../imported';
import { numberIn, Unmapped } from '../json';
import { scheduleFromAws } from './expression';
import { checkFields } from './fields';
import { targetFromAws } from './target';

export type AwsSchedule = Omit<GetScheduleCommandOutput, '$metadata'>;

/** What AWS does if a schedule has no retry policy. */
const AWS_RETRIES = 185;
const AWS_EVENT_AGE_SEC = 86_400;
/** The maximum of `retry.maxAttempts`. */
const MAX_ATTEMPTS = 100;
/** The most that `nameOf` keeps. */
const MAX_NAME = 256;

/** Translates EventBridge schedules to jobs. Gives the reason for each schedule that has no counterpart. */
export function importFromAws(schedules: readonly AwsSchedule[], nowMs: number): Import {
  const result: Import = { jobs: [], refused: [] };
  const called = new Set<string>();
  const allowed = new Map<string, AllowedEntry>();
  for (const schedule of schedules) {
    const source = `${schedule.GroupName ?? 'default'}/${schedule.Name ?? ''}`;
    try {
      const { job, arns, allowedAction } = jobFrom(schedule, source, nowMs);
      result.jobs.push(job);
      for (const one of arns) called.add(one);
      if (allowedAction) allowed.set(JSON.stringify(allowedAction), allowedAction);
    } catch (error) {
      if (!(error instanceof Unmapped)) throw error;
      result.refused.push({ source, reason: error.message });
    }
  }
  return refuseDuplicates({
    ...result,
    allowedTargetArns: [...called],
    allowedActions: [...allowed.values()],
  });
}

interface FromAws {
  job: ImportedJob;
  arns: string[];
  allowedAction: AllowedEntry | undefined;
}

function jobFrom(schedule: AwsSchedule, source: string, nowMs: number): FromAws {
  const { FlexibleTimeWindow: window } = schedule;
  const timing = scheduleFromAws(
    {
      expression: schedule.ScheduleExpression ?? '',
      timezone: schedule.ScheduleExpressionTimezone,
      startAt: dateIn(schedule, 'StartDate'),
      endAt: dateIn(schedule, 'EndDate'),
      createdAt: dateIn(schedule, 'CreationDate'),
      windowMinutes: window?.Mode === 'FLEXIBLE' ? window.MaximumWindowInMinutes : undefined,
    },
    nowMs,
  );
  const { target, payload, called, notes, timeout, maxAttempts, allowed, templates } = targetFromAws(
    schedule.Target ?? ({} as never),
    schedule.Arn ?? '',
  );
  checkFields(schedule);
  const retry = retryFrom(schedule);
  const inDefaultGroup = (schedule.GroupName ?? 'default') === 'default';
  const all = [...timing.notes, ...notes, ...retry.notes];
  if (schedule.KmsKeyArn)
    all.push(`its KMS key ${schedule.KmsKeyArn} is not imported: payloads are encrypted as the tables are`);
  if (schedule.ActionAfterCompletion === 'DELETE')
    all.push('AWS deletes it once it has ended; its job stays, as completed');
  if ((schedule.Description?.length ?? 0) > MAX_NAME)
    all.push(`its description becomes a name, of which only the first ${MAX_NAME} characters are kept`);
  const job = {
    source,
    jobId: jobIdOf(inDefaultGroup ? (schedule.Name ?? '') : `${schedule.GroupName}.${schedule.Name}`),
    definition: {
      ...(schedule.Description ? { name: nameOf(schedule.Description) } : {}),
      schedule: timing.schedule,
      target,
      ...(payload === undefined ? {} : { payload }),
      ...(templates && { templates }),
      ...(timeout !== undefined && { timeout }),
      retry: { ...retry.policy, ...(maxAttempts !== undefined && { maxAttempts }) },
      tags: { [SOURCE_TAG]: 'eventbridge' },
    },
    ...(schedule.State === 'DISABLED' ? { paused: true } : {}),
    notes: all,
  };
  return { job, arns: called, allowedAction: allowed };
}

/** A file may have anything in its place. */
function dateIn(schedule: AwsSchedule, field: 'StartDate' | 'EndDate' | 'CreationDate'): Date | undefined {
  const value: unknown = schedule[field] ?? undefined;
  if (value === undefined || value instanceof Date) return value;
  throw new Unmapped(`its ${field} is ${JSON.stringify(value)}, and no date`);
}

/** AWS counts retries after the first attempt; a job counts all attempts. */
function retryFrom({ Target: target }: AwsSchedule) {
  const given = { ...target?.RetryPolicy };
  const retries = numberIn(given, 'MaximumRetryAttempts', { least: 0 }) ?? AWS_RETRIES;
  const ageSec = numberIn(given, 'MaximumEventAgeInSeconds', { least: 1 }) ?? AWS_EVENT_AGE_SEC;
  const notes =
    retries + 1 > MAX_ATTEMPTS
      ? [`its ${retries} retries become ${MAX_ATTEMPTS} attempts in total, the maximum`]
      : [];
  return { policy: { maxAttempts: Math.min(retries + 1, MAX_ATTEMPTS), maxAge: `${ageSec}s` }, notes };
}
