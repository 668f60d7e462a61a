import { type FieldProblem, type JobWithEtag, NotFoundError, type Quarterjack } from '../../client';
import { inParallel } from '../in-parallel';
import { closestOf } from '../../lambdas/core/contracts/suggestion';
import {
  type ApiDescription,
  type Definition,
  DEFINITION_FIELDS,
  definitionOf,
  withDefaults,
} from './definition';
import { diff, type FieldChange } from './diff';
import { type DryRun, dryRun, type PendingMisfits } from './dry-run';
import { awaitsPlanned } from './upstream';
import { type CalendarEnd, calendarEnds, type CalendarPlan, planCalendars } from './calendar-plan';
import { type QuietTime, quietTimes } from './quiet-times';
import { type FileNotification, type NotificationPlan, planNotifications } from './notification-plan';
import { type FileCalendar, FileError, type FileJob, problemText } from './jobs-file';

interface AddedJob {
  job: FileJob;
  /** The first due time of its schedule; null if it never fires, or if a calendar is missing yet. */
  firstAt: string | null;
  /** Its schedule names a calendar that is added by the same plan. */
  awaitsCalendar?: true;
}

export interface ChangedJob {
  job: FileJob;
  changes: FieldChange[];
  /** Set if the file says `paused` and the job's state differs. */
  pausing?: 'pause' | 'resume';
  /** ETag of the job that was compared. The change applies to this version only. */
  etag: string;
  /** Present if some runs wait with a payload that the changed `payloadSchema` does not fit. */
  misfits?: PendingMisfits;
}

export interface RemovedJob {
  jobId: string;
  definition: Definition;
  /** ETag of the job that was found. This version alone is removed. */
  etag: string;
  /** How many of its newest executions wait, of at most `MOST_WAITING`. They do not run. */
  waiting: number;
}

/** The newest executions of a job: those that are due later come first. The history may have many more. */
export const MOST_WAITING = 500;

export interface Plan {
  added: AddedJob[];
  changed: ChangedJob[];
  /** Jobs that have the tag given to `--prune`, but are not in the file. */
  removed: RemovedJob[];
  unchanged: string[];
  /** Calendars to add or to change, before any job. */
  calendars: CalendarPlan[];
  /** Where the calendars end that the plan sets, or that its jobs name. */
  calendarEnds: CalendarEnd[];
  /** Jobs that `expectEvery` calls late although they keep to their schedules. */
  quietTimes: QuietTime[];
  /** Notifications to add or to change, before any job. */
  notifications: NotificationPlan[];
  /** False if the token may not write jobs. Only the schedules were then checked. */
  isChecked: boolean;
}

/** How many things a plan changes. */
export const sizeOf = ({ added, changed, removed, calendars, notifications }: Plan): number =>
  added.length + changed.length + removed.length + calendars.length + notifications.length;

/** Whether runs wait that a plan would leave with a payload that fits no more. */
export const strandsRuns = ({ changed }: Plan): boolean => changed.some(({ misfits }) => misfits);

export const isEmpty = (plan: Plan): boolean => sizeOf(plan) === 0;

/**
 * Compares files with the stored jobs. Asks the API about all jobs that are new or differ, and throws a
 * `FileError` if it would reject one, or all of them together. Calls `step` for each job.
 */
export async function makePlan(
  client: Quarterjack,
  file: readonly FileJob[],
  {
    prune,
    calendars: fileCalendars = [],
    notifications: fileNotifications = [],
    problems: ofFiles = [],
    step = () => undefined,
  }: {
    prune?: string;
    calendars?: readonly FileCalendar[];
    notifications?: readonly FileNotification[];
    /** What the files alone say is wrong beside their jobs. */
    problems?: readonly string[];
    step?: () => void;
  } = {},
): Promise<Plan> {
  const api = (await client.openApi()) as unknown as ApiDescription;
  const calendars = await planCalendars(client, fileCalendars);
  const notifications = ofFiles.length > 0 ? [] : await planNotifications(client, fileNotifications, api);
  const isAdded = (problem: FieldProblem) => calendars.some((one) => one.isNew && namesMissing(problem, one));
  const compared = await inParallel(file, async (job) => {
    const current = await currentOf(client, job.jobId);
    step();
    return { job, change: current && changeOf(job, current, api) };
  });
  const written = compared.filter(
    ({ job, change }) =>
      !change || change.changes.length > 0 || change.pausing === 'resume' || job.faults?.length,
  );
  const checked = await dryRun(
    client,
    written.map(({ job: { jobId, definition }, change }) => ({
      jobId,
      definition,
      isResumed: change?.pausing === 'resume',
    })),
  );
  const planned = new Set(file.map(({ jobId }) => jobId));
  const ofJobs = checked.jobs.flatMap((one, index) => {
    const { job } = written[index]!;
    const ofApi = one.problems.filter(
      (problem) => !isAdded(problem) && !awaitsPlanned(problem, job, planned),
    );
    return allFaults(job, ofApi);
  });
  const problems = [...ofFiles, ...ofJobs, ...checked.exceeded];
  if (problems.length > 0) throw new FileError(problems);
  const checks = new Map(checked.jobs.map((one, index) => [written[index]!.job, one]));
  const none = { added: [], changed: [], removed: [], unchanged: [] };
  const notes = await notesOf(client, calendars, written);
  const plan: Plan = { ...none, ...notes, calendars, notifications, isChecked: checked.isWhole };
  fileUnder(plan, compared, checks, isAdded);
  if (prune !== undefined) plan.removed = await prunedBy(client, prune, file);
  return plan;
}

/** What a plan says beside what it changes. */
const notesOf = async (
  client: Quarterjack,
  calendars: readonly CalendarPlan[],
  written: readonly { job: FileJob }[],
): Promise<Pick<Plan, 'calendarEnds' | 'quietTimes'>> => ({
  calendarEnds: await calendarEnds(client, calendars, written),
  quietTimes: await quietTimes(client, written),
});

/** Sorts the jobs of files by what is to be done with them. */
function fileUnder(
  plan: Plan,
  compared: readonly { job: FileJob; change: ChangedJob | undefined }[],
  checks: ReadonlyMap<FileJob, DryRun>,
  isAdded: (problem: FieldProblem) => boolean,
): void {
  for (const { job, change } of compared) {
    const check = checks.get(job);
    const awaitsCalendar = check?.problems.some(isAdded) ? { awaitsCalendar: true as const } : {};
    if (!change) plan.added.push({ job, firstAt: check?.firstAt ?? null, ...awaitsCalendar });
    else if (change.changes.length > 0 || change.pausing)
      plan.changed.push({ ...change, ...(check?.misfits?.count && { misfits: check.misfits }) });
    else plan.unchanged.push(job.jobId);
  }
}

/** What the file says is wrong with a job, and what the API says of its other fields. */
export function allFaults(job: FileJob, ofApi: readonly FieldProblem[]): string[] {
  const own = job.faults ?? [];
  const isReported = ({ path }: FieldProblem) =>
    own.some(
      (fault) =>
        fault.path === '' || fault.path === path || closestOf(fault.path, DEFINITION_FIELDS) === path,
    );
  return [...own, ...ofApi.filter((problem) => !isReported(problem))].map((problem) =>
    problemText(problem, job),
  );
}

/** The API says of a schedule that it names this calendar, which does not exist yet. */
const namesMissing = ({ path, message }: FieldProblem, { calendar }: CalendarPlan): boolean =>
  /^schedule\.(?:exclude|only)\.\d+\.calendar$/.test(path) &&
  message.startsWith(JSON.stringify(calendar.calendarId));

async function currentOf(client: Quarterjack, jobId: string): Promise<JobWithEtag | undefined> {
  try {
    return await client.jobs.get(jobId);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function changeOf(job: FileJob, current: JobWithEtag, api: ApiDescription): ChangedJob {
  const changes = diff(definitionOf(current), withDefaults(job.definition, api));
  return {
    job,
    changes,
    pausing: pausingOf(job, current, changes.length > 0),
    etag: current.etag,
  };
}

/** A completed job may be paused or not. That matters only once a change has given it something to run. */
function pausingOf({ paused }: FileJob, { status }: JobWithEtag, isChanged: boolean): ChangedJob['pausing'] {
  if (paused === undefined || (status === 'completed' && !isChanged)) return undefined;
  if (paused) return status === 'paused' ? undefined : 'pause';
  return status === 'active' ? undefined : 'resume';
}

async function prunedBy(
  client: Quarterjack,
  tag: string,
  file: readonly FileJob[],
): Promise<Plan['removed']> {
  const kept = new Set(file.map(({ jobId }) => jobId));
  const found: string[] = [];
  for await (const { jobId } of client.jobs.list({ tag: [tag], limit: 100 }))
    if (!kept.has(jobId)) found.push(jobId);
  const jobs = await inParallel(found, async (jobId) => {
    const job = await currentOf(client, jobId);
    return (
      job && { jobId, definition: definitionOf(job), etag: job.etag, waiting: await waitingOf(client, jobId) }
    );
  });
  return jobs.flatMap((job) => job ?? []);
}

/** How many runs of a job have not begun, or wait for another attempt. */
async function waitingOf({ executions }: Quarterjack, jobId: string): Promise<number> {
  const newest = await executions.list(jobId, { limit: 100 }).toArray(MOST_WAITING);
  return newest.filter(({ status }) => status === 'queued' || status === 'retrying').length;
}
