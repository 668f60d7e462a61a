import type { Definition } from '../schedules-as-code/definition';

/** A job translated from another scheduler. */
export interface ImportedJob {
  /** Its name or position in the source: `default/report`, `crontab:12`. */
  source: string;
  jobId: string;
  definition: Definition;
  paused?: boolean;
  /** What differs from the source, or was not imported. One sentence each. */
  notes: string[];
}

/** Something that cannot be imported, and why. */
export interface Refused {
  source: string;
  reason: string;
}

/** What takes the place of mail that the source sends. */
export interface ImportedNotification {
  source: string;
  id: string;
  definition: { on: string[]; filter: { tag: string }; target: { type: 'email'; to: string } };
}

export interface Import {
  jobs: ImportedJob[];
  /** Absent: none. */
  notifications?: ImportedNotification[];
  refused: Refused[];
  /** What the jobs call: the entries that `allowedTargetArns` needs for them. Absent: none. */
  allowedTargetArns?: string[];
  /** What `allowedActions` needs for them. Absent: nothing. */
  allowedActions?: { action: string; resources: string[]; passRoles?: string[] }[];
}

/** Tag that names the source of a job. `--prune` uses it to find jobs that the source no longer has. */
export const SOURCE_TAG = 'imported-from';
const MAX_ID = 64;

/** A jobId made from text. Text that is a valid jobId stays as it is. */
export function jobIdOf(text: string): string {
  const allowed = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return allowed.slice(0, MAX_ID) || 'job';
}

/** A name made from text: on one line, cut to the maximum length. */
export function nameOf(text: string): string | undefined {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return line.slice(0, 256) || undefined;
}

/** Moves a job to `refused` if an earlier job has the same jobId. */
export function refuseDuplicates({ jobs, refused, ...rest }: Import): Import {
  const first = new Map<string, ImportedJob>();
  const duplicates = jobs.filter((job) => {
    const other = first.get(job.jobId);
    if (!other) first.set(job.jobId, job);
    else
      refused.push({
        source: job.source,
        reason: `its jobId ${job.jobId} is already used by ${other.source}`,
      });
    return other;
  });
  return { ...rest, jobs: jobs.filter((job) => !duplicates.includes(job)), refused };
}
