import { type JobDefinition, type Quarterjack, ValidationError } from '../../client';
import { inParallel } from '../in-parallel';
import { explain } from '../exit-codes';
import { type FileJob, problemText } from './jobs-file';
import { upstreamFirst } from './upstream';
import { fieldProblemsOf } from './dry-run';
import type { ChangedJob, Plan } from './plan';

interface Applied {
  /** A job's id; for a calendar, `calendar` and its id; for a notification likewise. */
  jobId: string;
  outcome: 'added' | 'changed' | 'removed' | 'failed';
  /** Only if it failed: the message, with file and line if the API named a field. */
  error?: string;
  cause?: unknown;
}

interface Task {
  jobId: string;
  outcome: Applied['outcome'];
  job?: FileJob;
  act(): Promise<unknown>;
}

/** A job that is created paused has this temporary due time, too far away to fire. */
const FAR_MS = 365 * 86_400_000;

/**
 * Applies a plan. A job that fails does not stop the others. Once `signal` aborts, no further job is changed.
 * Applying the file again does the rest.
 */
export async function applyPlan(
  client: Quarterjack,
  { added, changed, removed, calendars, notifications }: Plan,
  { nowMs, step, signal }: { nowMs: number; step: () => void; signal?: AbortSignal },
): Promise<Applied[]> {
  const tasks: Task[] = [
    ...added.map(({ job }) => ({
      jobId: job.jobId,
      outcome: 'added' as const,
      job,
      act: () => (job.paused ? addPaused(client, job, nowMs) : client.jobs.put(job.jobId, bodyOf(job))),
    })),
    ...changed.map((one) => ({
      jobId: one.job.jobId,
      outcome: 'changed' as const,
      job: one.job,
      act: () => change(client, one),
    })),
    ...removed.map(({ jobId, etag }) => ({
      jobId,
      outcome: 'removed' as const,
      act: () => client.jobs.delete(jobId, { ifMatch: etag }),
    })),
  ];
  const apply = async ({ jobId, outcome, job, act }: Task): Promise<Applied> => {
    try {
      await act();
      return { jobId, outcome };
    } catch (cause) {
      return { jobId, outcome: 'failed', error: textOf(cause, jobId, job), cause };
    } finally {
      step();
    }
  };
  // jobs name calendars, so these come first
  const settings: Setting[] = [
    ...calendars.map(({ calendar: { calendarId, definition, where }, isNew }) => ({
      name: `calendar ${calendarId}`,
      isNew,
      where,
      act: () => client.calendars.put(calendarId, definition),
    })),
    ...notifications.map(({ notification: { id, definition, where }, isNew }) => ({
      name: `notification ${id}`,
      isNew,
      where,
      act: () => client.notifications.set(id, definition),
    })),
  ];
  const applied: Applied[] = await inParallel(settings, (one) => applySetting(one, step), { signal });
  for (const wave of upstreamFirst(tasks)) applied.push(...(await inParallel(wave, apply, { signal })));
  return applied;
}

/** A calendar or a notification. */
interface Setting {
  name: string;
  isNew: boolean;
  where(field?: string): string;
  act(): Promise<unknown>;
}

async function applySetting({ name: jobId, isNew, where, act }: Setting, step: () => void): Promise<Applied> {
  try {
    await act();
    return { jobId, outcome: isNew ? 'added' : 'changed' };
  } catch (cause) {
    const problems = cause instanceof ValidationError ? fieldProblemsOf(cause) : undefined;
    const error = problems
      ? problems
          .map(({ path, message }) => [where(path), jobId, path, message].filter(Boolean).join(': '))
          .join('\n')
      : `${where()}: ${jobId}: ${explain(cause)}`;
    return { jobId, outcome: 'failed', error, cause };
  } finally {
    step();
  }
}

const bodyOf = ({ definition }: FileJob): JobDefinition => definition as unknown as JobDefinition;

/** Creates a paused job. It is never active with its own schedule, which may be due right now. */
async function addPaused({ jobs }: Quarterjack, job: FileJob, nowMs: number): Promise<void> {
  const far = { type: 'at' as const, at: new Date(nowMs + FAR_MS).toISOString() };
  await jobs.put(job.jobId, { ...bodyOf(job), schedule: far });
  await jobs.pause(job.jobId);
  await jobs.put(job.jobId, bodyOf(job));
}

/** Pauses before the change and resumes after it, so that the job fires only as the file says. */
async function change({ jobs }: Quarterjack, { job, changes, pausing, etag }: ChangedJob): Promise<void> {
  let ifMatch = etag;
  if (pausing === 'pause') ifMatch = (await jobs.pause(job.jobId)).etag;
  if (changes.length > 0) await jobs.put(job.jobId, bodyOf(job), { ifMatch });
  if (pausing === 'resume') await jobs.resume(job.jobId);
}

function textOf(error: unknown, jobId: string, job: FileJob | undefined): string {
  if (!job) return `${jobId}: ${explain(error)}`;
  if (error instanceof ValidationError)
    return fieldProblemsOf(error)
      .map((problem) => problemText(problem, job))
      .join('\n');
  return `${job.where()}: ${jobId}: ${explain(error)}`;
}
