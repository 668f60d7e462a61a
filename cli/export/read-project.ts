import {
  type Calendar,
  type Job,
  type Notification,
  PermissionError,
  type Quarterjack,
  ValidationError,
} from '../../client';
import { inParallel } from '../in-parallel';
import { isObject } from '../is-object';
import type { ApiDescription } from '../schedules-as-code/definition';

/** What a project defines, as the API shows it. */
export interface Project {
  /** Those that still have something to run. */
  jobs: readonly Job[];
  /** Ids of jobs that are due for nothing any more. */
  completed: readonly string[];
  calendars: readonly Calendar[];
  /** Undefined: the token may not read them. */
  notifications: readonly Notification[] | undefined;
  api: ApiDescription;
}

/** Reads all that a file of jobs can define. */
export async function readProject(client: Quarterjack): Promise<Project> {
  const { jobs, completed } = await readJobs(client);
  const summaries = await client.calendars.list({ limit: 100 }).toArray();
  return {
    jobs,
    completed,
    calendars: await inParallel(summaries, ({ calendarId }) => client.calendars.get(calendarId)),
    notifications: await readNotifications(client),
    api: await readApi(client),
  };
}

export const readApi = async (client: Quarterjack): Promise<ApiDescription> =>
  (await client.openApi()) as unknown as ApiDescription;

/** Lists leave workflows out, so these jobs are read one by one. */
export async function readJobs(client: Quarterjack): Promise<Pick<Project, 'jobs' | 'completed'>> {
  const all = await client.jobs.list({ limit: 100 }).toArray();
  const read = await inParallel(all, async (job) => {
    if (await isOver(client, job)) return undefined;
    return job.workflowVersion ? client.jobs.get(job.jobId) : job;
  });
  return {
    jobs: read.filter((job) => job !== undefined),
    completed: all.filter((_, index) => read[index] === undefined).map(({ jobId }) => jobId),
  };
}

/** Whether a job is due for nothing any more, also if it is paused or still runs. The API creates none. */
async function isOver(client: Quarterjack, { status, nextFireAt, schedule }: Job): Promise<boolean> {
  if (status === 'completed') return true;
  if (nextFireAt !== null || !mayEnd(schedule)) return false;
  if (isObject(schedule) && schedule.type === 'delay') return status !== 'paused';
  try {
    return (await client.preview(schedule, { count: 1 })).times.length === 0;
  } catch (error) {
    if (error instanceof ValidationError) return true;
    throw error;
  }
}

const mayEnd = (schedule: Job['schedule']): boolean =>
  isObject(schedule)
    ? schedule.type === 'at' || schedule.type === 'delay' || 'endAt' in schedule
    : schedule.startsWith('at(');

async function readNotifications({ notifications }: Quarterjack): Promise<Notification[] | undefined> {
  try {
    return await notifications.list({ limit: 100 }).toArray();
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
}
