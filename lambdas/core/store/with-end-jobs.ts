import { jobKeyOf, jobRefOf } from '../contracts/tables';
import { endJobOf, ofEndJob } from '../domain/hidden-job';
import type { JobStore } from './job-store';

/**
 * Derives the hidden jobs that call the targets of `onEnd` from the jobs that they belong to. They have no
 * row, so a change of a job is one write.
 */
export const withEndJobs = (jobs: JobStore): JobStore => ({
  ...jobs,
  async get(ref) {
    const of = ofEndJob(jobKeyOf(ref));
    if (!of) return jobs.get(ref);
    const job = await jobs.get(jobRefOf(of.jobKey));
    return job && endJobOf(job, of.end);
  },
  async getMany(jobKeys, options) {
    const hidden = jobKeys.flatMap((jobKey) => {
      const of = ofEndJob(jobKey);
      return of ? [{ jobKey, of }] : [];
    });
    if (hidden.length === 0) return jobs.getMany(jobKeys, options);
    const own = jobKeys.filter((jobKey) => !ofEndJob(jobKey));
    const read = await jobs.getMany([...new Set([...own, ...hidden.map(({ of }) => of.jobKey)])], options);
    const made = {
      jobs: new Map(read.jobs),
      unread: new Set(read.unread),
      unreadable: new Set(read.unreadable),
    };
    for (const { jobKey, of } of hidden) {
      const job = read.jobs.get(of.jobKey);
      const endJob = job && endJobOf(job, of.end);
      if (endJob) made.jobs.set(jobKey, endJob);
      if (read.unread.has(of.jobKey)) made.unread.add(jobKey);
      if (read.unreadable.has(of.jobKey)) made.unreadable.add(jobKey);
    }
    return made;
  },
});
