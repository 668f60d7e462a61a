import type { Job } from '../../core/domain/job';
import { preconditionFailed } from './problem';
import type { ApiRequest } from '../request';

/** `*`, or the strong entity tags of a header, without their quotes. */
type EntityTags = '*' | ReadonlySet<string>;

/** The headers that bind a change to the job's present state. */
interface Preconditions {
  /** The change requires a job that has one of these tags; `*`: any job. */
  ifMatch?: EntityTags;
  /** The change requires that no job has one of these tags; `*`: that there is no job. */
  ifNoneMatch?: EntityTags;
}

export const ifMatchOf = (request: ApiRequest): Preconditions => ({ ifMatch: tagsIn(request, 'if-match') });

export const preconditionsOf = (request: ApiRequest): Preconditions => ({
  ...ifMatchOf(request),
  ifNoneMatch: tagsIn(request, 'if-none-match'),
});

/** Undefined if the header is absent. Weak tags never match, as RFC 9110 demands for `If-Match`. */
function tagsIn({ headers }: ApiRequest, name: string): EntityTags | undefined {
  const header = headers[name]?.trim();
  if (header === undefined) return undefined;
  if (header === '*') return '*';
  return new Set(header.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1')));
}

/** Throws `ProblemError` 412. */
export function checkPreconditions({ ifMatch, ifNoneMatch }: Preconditions, job: Job | undefined): void {
  if (ifMatch && !matches(ifMatch, job)) throw preconditionFailed();
  if (ifNoneMatch && matches(ifNoneMatch, job))
    throw preconditionFailed('there is a job that If-None-Match excludes');
}

const matches = (tags: EntityTags, job: Job | undefined): boolean =>
  job !== undefined && (tags === '*' || tags.has(job.etag));
