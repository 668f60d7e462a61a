import type { Definition } from '../schedules-as-code/definition';

/** What something that was found elsewhere becomes here. */
export interface ImportedJob {
  /** What it is called where it was found: `default/report`, `crontab:12`. */
  source: string;
  jobId: string;
  definition: Definition;
  paused?: boolean;
  /** What is otherwise here, or is left behind, each as a sentence. */
  notes: string[];
}

/** What has no counterpart here, and why. */
export interface Refused {
  source: string;
  reason: string;
}

export interface Import {
  jobs: ImportedJob[];
  refused: Refused[];
}

/** Where it came from, as a tag: `--prune` finds by it what is no longer there. */
export const SOURCE_TAG = 'imported-from';
const MAX_ID = 64;

/** Text as a jobId: as it is, where it can be one. */
export function jobIdOf(text: string): string {
  const allowed = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return allowed.slice(0, MAX_ID) || 'job';
}

/** Text as a name: one line, and not longer than names are. */
export function nameOf(text: string): string | undefined {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return line.slice(0, 256) || undefined;
}

/** Two things must not become one job: the later ones are refused. */
export function refuseTwins({ jobs, refused }: Import): Import {
  const first = new Map<string, ImportedJob>();
  const twins = jobs.filter((job) => {
    const other = first.get(job.jobId);
    if (!other) first.set(job.jobId, job);
    else refused.push({ source: job.source, reason: `its jobId ${job.jobId} is taken by ${other.source}` });
    return other;
  });
  return { jobs: jobs.filter((job) => !twins.includes(job)), refused };
}
