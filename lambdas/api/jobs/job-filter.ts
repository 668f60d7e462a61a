import { kindOf } from '../../core/domain/job-kind';
import { type Job, targetsOf } from '../../core/domain/job';
import { addressOf, type Target } from '../../core/domain/target';
import { parseUrl } from '../../core/domain/parse-url';
import type { JobFilter } from '../../core/http/query-fields';
import { hasText } from './has-text';

/**
 * Whether a job passes the filters that its row alone decides. Whether it is `completed` depends on its
 * executions.
 */
export const passesRow = (job: Job, { q, contains, tag, status, kind, pool, target }: JobFilter): boolean =>
  (contains === undefined || hasText(job, contains)) &&
  (q === undefined || job.jobId.startsWith(q) || (job.name?.startsWith(q) ?? false)) &&
  hasTags(job, tag) &&
  (status === undefined || status === 'completed' || status === job.status) &&
  (kind === undefined || kindOf(job) === kind) &&
  (pool === undefined || job.pool === pool) &&
  (target === undefined || targetsOf(job).some((one) => matches(one, target)));

/** Whether a job has all wanted tags, by one reading of each. */
export const hasTags = ({ tags }: Pick<Job, 'tags'>, wanted: JobFilter['tag']): boolean =>
  wanted.every((readings) =>
    readings.some(({ key, value }) => Object.hasOwn(tags, key) && tags[key] === value),
  );

/**
 * Whether a job passes and may have due times ahead. Completed jobs have none, and paused ones only if their
 * pause has an end.
 */
export const mayPlan = (job: Job, filter: JobFilter): boolean =>
  (job.status === 'active' || job.resumeAtMs !== undefined) &&
  filter.status !== 'completed' &&
  passesRow(job, filter);

function matches(target: Target, text: string): boolean {
  if (target.type === text) return true;
  const address = addressOf(target);
  if (address.startsWith(text)) return true;
  return target.type === 'http' && parseUrl(address)?.hostname === text.toLowerCase();
}
