import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import type { Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/** Two saves that see each other's job as it was before are at most so far apart. */
const AT_ONCE_MS = 60_000;

interface Saved {
  job: Job;
  /** When the job got its workflow. */
  atMs: number;
}

/** No jobs are stored whose runs need each other in a circle, unless they were saved at once. */
export function checkNeeds({ records }: Story): Violation[] {
  const jobs = new Map<string, Saved>();
  const violations: Violation[] = [];
  for (const record of records) {
    if (record.src !== 'table' || record.type !== 'job') continue;
    const { t, jobKey, job } = record;
    const before = jobs.get(jobKey);
    if (!job) jobs.delete(jobKey);
    if (!job || job.workflow?.version === before?.job.workflow?.version) continue;
    jobs.set(jobKey, { job, atMs: t });
    const others = new Map([...jobs].filter(([key, { atMs }]) => key === jobKey || t - atMs > AT_ONCE_MS));
    const circle = circleFrom(jobKey, others);
    if (circle) violations.push(broken('circle', `at ${clockTime(t)}: ${circle.join(' needs ')}`));
  }
  return violations;
}

function circleFrom(jobKey: string, jobs: ReadonlyMap<string, Saved>): string[] | undefined {
  const seen = new Set<string>();
  const paths = [[jobKey]];
  for (let path = paths.pop(); path; path = paths.pop()) {
    const { job } = jobs.get(path.at(-1)!) ?? {};
    for (const jobId of job?.workflow?.needs ?? []) {
      const key = jobKeyOf({ userId: job!.userId, jobId });
      if (key === jobKey) return [...path, key];
      if (!seen.has(key)) paths.push([...path, key]);
      seen.add(key);
    }
  }
  return undefined;
}
