import { type Quarterjack, QuarterjackError } from '../../client';
import { CliError, explain } from '../exit-codes';
import { dryRun, isOfSchedule } from '../schedules-as-code/dry-run';
import { awaitsPlanned } from '../schedules-as-code/upstream';
import type { Import } from './imported';
import { checkNotifications } from './notifications';

interface Checked extends Import {
  /** Why the API could not be asked; undefined if it was. */
  unchecked?: string;
}

/**
 * Asks the API about each job and notification. Moves those that it would reject to `refused`, with the
 * quotas that all jobs together exceed.
 *
 * With `toEdit`, the jobs are for a file that a person edits before it is applied. Then a job is moved only
 * if its schedule is rejected, and gets a note for its other fields.
 */
export async function checkImported(
  client: Quarterjack,
  { jobs, refused, notifications = [], ...rest }: Import,
  { toEdit }: { toEdit: boolean },
): Promise<Import> {
  const { jobs: runs, exceeded } = await dryRun(client, jobs);
  const mails = await checkNotifications(client, notifications);
  const planned = new Set(jobs.map(({ jobId }) => jobId));
  const checked = jobs.map((job, index) => {
    const problems = (runs[index]?.problems ?? []).filter((one) => !awaitsPlanned(one, job, planned));
    if (problems.length === 0) return { job };
    const reason = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
    if (!toEdit || problems.some(isOfSchedule)) return { reason, source: job.source };
    return { job: { ...job, notes: [...job.notes, `the API would reject it: ${reason}`] } };
  });
  return {
    ...rest,
    jobs: checked.flatMap(({ job }) => (job ? [job] : [])),
    notifications: mails.notifications,
    refused: [
      ...refused,
      ...mails.refused,
      ...exceeded.map((reason) => ({ source: 'all jobs together', reason })),
      ...checked.flatMap(({ reason, source }) => (reason === undefined ? [] : [{ source, reason }])),
    ],
  };
}

/** Asks the API as `checkImported` does. If it cannot be asked, the jobs as they are and the reason. */
export async function checkImportedIfPossible(
  client: () => Quarterjack,
  found: Import,
  options: { toEdit: boolean },
): Promise<Checked> {
  try {
    return await checkImported(client(), found, options);
  } catch (error) {
    if (!(error instanceof CliError || error instanceof QuarterjackError)) throw error;
    return { ...found, unchecked: explain(error) };
  }
}
