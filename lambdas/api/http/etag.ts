import type { Job } from '../../core/domain/job';
import { preconditionFailed } from './problem';
import type { ApiRequest, ApiResponse } from '../request';

/** A tag, without its quotes. A weak one says that two states are alike, not that they are equal. */
interface EntityTag {
  tag: string;
  isWeak: boolean;
}

/** `*`, or the entity tags of a header. */
type EntityTags = '*' | readonly EntityTag[];

/** The headers that bind a request to the present state of what it names. */
interface Preconditions {
  /** The request requires a state that has one of these tags; `*`: any state. */
  ifMatch?: EntityTags;
  /** The request requires that no state has one of these tags; `*`: that there is none. */
  ifNoneMatch?: EntityTags;
}

export const preconditionsOf = (request: ApiRequest): Preconditions => ({
  ifMatch: tagsIn(request, 'if-match'),
  ifNoneMatch: tagsIn(request, 'if-none-match'),
});

/** A tag may contain commas. One without quotes is none, but its meaning is plain. */
const TAGS = /(?<weak>W\/)?"(?<quoted>[^"]*)"|(?<bare>[^\s,"]+)/g;

/** Undefined if the header is absent. */
function tagsIn({ headers }: ApiRequest, name: string): EntityTags | undefined {
  const header = headers[name]?.trim();
  if (header === undefined) return undefined;
  if (header === '*') return '*';
  return [...header.matchAll(TAGS)].map(({ groups = {} }) => ({
    tag: groups['quoted'] ?? groups['bare'] ?? '',
    isWeak: groups['weak'] !== undefined,
  }));
}

/** Checks a change of a job, in the order of RFC 9110, section 13.2.2. Throws `ProblemError` 412. */
export function checkPreconditions({ ifMatch, ifNoneMatch }: Preconditions, job: Job | undefined): void {
  if (ifMatch && !matchesStrongly(ifMatch, job?.etag)) throw preconditionFailed();
  if (ifNoneMatch && matchesWeakly(ifNoneMatch, job?.etag))
    throw preconditionFailed('there is a job that If-None-Match excludes');
}

/** The response to a read that has an ETag: 304 if the client has it. Throws `ProblemError` 412. */
export function conditional(request: ApiRequest, response: ApiResponse): ApiResponse {
  const etag = response.headers?.['etag'];
  if (request.route.method !== 'GET' || response.status !== 200 || etag === undefined) return response;
  const { ifMatch } = preconditionsOf(request);
  if (ifMatch && !matchesStrongly(ifMatch, withoutQuotes(etag)))
    throw preconditionFailed('the state no longer has the ETag of If-Match');
  return isKnown(request, etag) ? { status: 304, headers: { etag } } : response;
}

/** Whether the client has the state with this ETag. */
export function isKnown(request: ApiRequest, etag: string): boolean {
  const { ifMatch, ifNoneMatch } = preconditionsOf(request);
  const mayBeRead = !ifMatch || matchesStrongly(ifMatch, withoutQuotes(etag));
  return mayBeRead && ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, withoutQuotes(etag));
}

const withoutQuotes = (etag: string): string => etag.slice(1, -1);

/** A weak tag never matches. */
const matchesStrongly = (tags: EntityTags, etag: string | undefined): boolean =>
  etag !== undefined && (tags === '*' || tags.some(({ tag, isWeak }) => !isWeak && tag === etag));

const matchesWeakly = (tags: EntityTags, etag: string | undefined): boolean =>
  etag !== undefined && (tags === '*' || tags.some(({ tag }) => tag === etag));
