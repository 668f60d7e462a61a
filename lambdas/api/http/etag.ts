import type { Job } from '../../core/domain/job';
import type { ApiRequest } from '../request';

/** `*`, or the strong entity tags of an `If-Match` header, without their quotes. */
export type IfMatch = '*' | ReadonlySet<string>;

/** Undefined where the header is absent. Weak tags never match, as RFC 9110 has it. */
export const ifMatchOf = (request: ApiRequest): IfMatch | undefined => tagsIn(request, 'if-match');

/** The same of `If-None-Match`: the request is for a job that none of them matches. `*`: for one that is not there. */
export const ifNoneMatchOf = (request: ApiRequest): IfMatch | undefined => tagsIn(request, 'if-none-match');

function tagsIn({ headers }: ApiRequest, name: string): IfMatch | undefined {
  const header = headers[name]?.trim();
  if (header === undefined) return undefined;
  if (header === '*') return '*';
  return new Set(header.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1')));
}

export const matches = (ifMatch: IfMatch, job: Job | undefined): boolean =>
  job !== undefined && (ifMatch === '*' || ifMatch.has(job.etag));

export const etagHeader = (job: Job): string => `"${job.etag}"`;
