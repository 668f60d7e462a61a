import type { CalendarKey } from '../contracts/tables';
import type { CalendarPointer } from '../domain/calendar';
import type { Calendar, CalendarContent } from '../schedule/calendar';
import { cachedByKey } from '../async/cached';
import type { Clock } from '../clock/clock';
import type { WriteOptions } from './write-options';

/** Calendars of projects: a pointer to the present version, and the content of every version. */
export interface CalendarStore {
  /** Consistent. */
  get(key: CalendarKey): Promise<CalendarPointer | undefined>;
  /** A project's pointers by id, at most `limit`. Consistent. */
  list(userId: string, page: { after?: string; limit: number }): Promise<CalendarPointer[]>;
  /** Writes a pointer in the place of the one with `seenEtag`; undefined: there must be none. */
  put(
    pointer: CalendarPointer,
    seenEtag: string | undefined,
    options?: WriteOptions,
  ): Promise<'put' | 'changed'>;
  /** Removes a pointer that still has this etag. Its version stays, until it expires. */
  remove(key: CalendarKey, seenEtag: string): Promise<'removed' | 'changed'>;
  /** Writes the content of a version that no pointer names yet. It expires, unless it is kept. */
  putVersion(
    key: CalendarKey,
    version: string,
    content: CalendarContent,
    expiresAtSec: number,
  ): Promise<void>;
  /** Keeps a version without end, unless it has been replaced. */
  keepVersion(key: CalendarKey, version: string): Promise<void>;
  /** Lets a version expire that has been replaced: no pointer names it again. A repeat moves the time. */
  expireVersion(key: CalendarKey, version: string, expiresAtSec: number): Promise<void>;
  /** The calendar of a version. Rejects if there is no such version: each is written before it is named. */
  calendarOf(key: CalendarKey, version: string): Promise<Calendar>;
}

const MAX_CACHED_VERSIONS = 1_000;
const SEPARATOR = '\n';

/** A version never changes: each process reads it once. */
export function withCachedVersions(calendars: CalendarStore, clock: Clock): CalendarStore {
  const read = cachedByKey(
    (name: string) => {
      const [userId = '', calendarId = '', version = ''] = name.split(SEPARATOR);
      return calendars.calendarOf({ userId: decodeURIComponent(userId), calendarId }, version);
    },
    { ttlMs: Number.POSITIVE_INFINITY, clock, maxKeys: MAX_CACHED_VERSIONS },
  );
  return {
    ...calendars,
    calendarOf: ({ userId, calendarId }, version) =>
      read([encodeURIComponent(userId), calendarId, version].join(SEPARATOR)),
  };
}
