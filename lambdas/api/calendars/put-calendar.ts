import { createHash } from 'node:crypto';

import { instantText, SECOND_MS } from '../../core/clock/clock';
import type { CalendarKey } from '../../core/contracts/tables';
import {
  type CalendarPointer,
  MAX_CALENDARS,
  MAX_EARLIER_VERSIONS,
  versionExpiresAtSec,
} from '../../core/domain/calendar';
import { CalendarBody } from '../../core/http/calendar';
import { CalendarPath } from '../../core/http/fields';
import type { CalendarChangeView } from '../../core/http/openapi/calendar';
import { type CalendarReplan, expireVersion, replanCalendar } from '../../core/job-writes/replan-calendar';
import { startDeadline, withinDeadline } from '../../core/store/write-deadline';
import { Calendar, type CalendarContent } from '../../core/schedule/calendar';
import { ScheduleError } from '../../core/schedule/schedule-error';
import { audited } from '../audit/audited';
import { parseWith, readBody } from '../http/parse-request';
import { conflict, invalidField, ProblemError } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { calendarSummary, contentView } from './calendars';

const MAX_TRIES = 5;
/** The auditor replans what a request leaves. A client of the API waits for half a minute at most. */
const REPLANS_FOR_MS = 15 * SECOND_MS;
/** Characters of a version: 132 bits of the hash of its content, and what tells apart versions with it. */
const HASH_LENGTH = 22;
const OWN_LENGTH = 8;

interface Stored {
  pointer: CalendarPointer;
  isNew: boolean;
}

/**
 * 201 with a new calendar, or 200 with a replaced one and what became of its jobs. If another request
 * replaces it meanwhile, the last one wins.
 *
 * Order of writes: the content, which expires → the pointer, which says that jobs are to be replanned → what
 * `replanCalendar` writes: now the content stays. From the second write on, each executor obeys the new
 * content. Throws `ProblemError` 400 or 409.
 */
export async function putCalendar(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const startedMs = deps.clock.monotonicMs();
  const { calendarId } = parseWith(request.params, CalendarPath);
  const { name, ...content } = readBody(request, CalendarBody);
  const calendar = checked(content);
  const key = { userId: request.project, calendarId };
  const change = { what: 'calendar.set', resource: calendarId } as const;
  const { pointer, isNew } = await audited(
    request,
    change,
    () => store(key, { name, content }, request, deps),
    deps,
  );
  const replan = await replanUntil(pointer, startedMs + REPLANS_FOR_MS, deps);
  return { status: isNew ? 201 : 200, body: calendarChangeView(pointer, calendar, replan) };
}

function checked(content: CalendarContent): Calendar {
  try {
    return new Calendar(content);
  } catch (error) {
    if (error instanceof ScheduleError) throw invalidField(error.path, error.message);
    throw error;
  }
}

/** Equal content has an equal hash, whatever the order of its fields was. */
function hashOf({ timezone, weekdays, dates, yearly }: CalendarContent): string {
  const fields = dates.map((date) =>
    typeof date === 'string' ? date : [date.from, date.to, date.note ?? null],
  );
  const canonical = JSON.stringify([timezone ?? null, weekdays, fields, yearly]);
  return createHash('sha256').update(canonical).digest('base64url').slice(0, HASH_LENGTH);
}

async function store(
  key: CalendarKey,
  { name, content }: { name: string | undefined; content: CalendarContent },
  { by }: ApiRequest,
  deps: ApiDeps,
): Promise<Stored> {
  const hash = hashOf(content);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await deps.calendars.get(key);
    const isSame = before?.version.slice(0, HASH_LENGTH) === hash;
    if (before && isSame && before.name === name) return { pointer: before, isNew: false };
    if (!before) await checkCount(key, deps);
    const version = before && isSame ? before.version : await putVersion(before ?? key, hash, content, deps);
    const deadline = startDeadline(deps.clock);
    const written = { name, version, by, etag: deps.random.id(), updatedAtMs: deadline.nowMs };
    const pointer = before ? changedPointer(before, written) : newPointer(key, written);
    const outcome = await withinDeadline(
      deadline,
      (options) => deps.calendars.put(pointer, before?.etag, options),
      deps,
    );
    if (outcome === 'put') return { pointer, isNew: !before };
  }
  throw conflict('other requests keep changing the calendar; repeat the request');
}

/**
 * Writes a version for a new pointer. Each try has its own. If another request has written the pointer, a
 * version that it had for a moment is never named again. A change that the new pointer hides is completed.
 */
async function putVersion(
  before: CalendarKey & Pick<CalendarPointer, 'changing'>,
  hash: string,
  content: CalendarContent,
  deps: ApiDeps,
): Promise<string> {
  const { from } = before.changing ?? {};
  if (from !== undefined) await expireVersion(before, from, deps);
  const version = hash + deps.random.id().slice(0, OWN_LENGTH);
  const expiresAtSec = versionExpiresAtSec(deps.clock.nowMs(), deps.retentionDays);
  await deps.calendars.putVersion(before, version, content, expiresAtSec);
  return version;
}

type Written = Pick<CalendarPointer, 'version' | 'by' | 'etag' | 'updatedAtMs'> & {
  name: string | undefined;
};

function newPointer(key: CalendarKey, { name, ...written }: Written): CalendarPointer {
  const named = name === undefined ? {} : { name };
  return { ...key, ...named, ...written, changedAtMs: written.updatedAtMs, earlier: [], changing: {} };
}

/** Another name alone replans nothing. */
function changedPointer(before: CalendarPointer, { name, ...written }: Written): CalendarPointer {
  const { name: _, ...rest } = before;
  const named = { ...rest, ...written, ...(name !== undefined && { name }) };
  if (before.version === written.version) return named;
  const changedAtMs = Math.max(written.updatedAtMs, before.changedAtMs + 1);
  const earlier = [...before.earlier, { version: before.version, untilMs: changedAtMs }];
  return {
    ...named,
    changedAtMs,
    earlier: earlier.slice(-MAX_EARLIER_VERSIONS),
    changing: { from: before.version },
  };
}

/** Two requests at the same time may each add one: the bound is not exact. */
async function checkCount({ userId }: CalendarKey, { calendars }: ApiDeps): Promise<void> {
  if ((await calendars.list(userId, { limit: MAX_CALENDARS })).length >= MAX_CALENDARS)
    throw conflict(`a project has at most ${MAX_CALENDARS} calendars; delete one that no job uses`);
}

/**
 * Executors obey the change already: a failure leaves its jobs to the auditor, and the request succeeds. So
 * does a minute without room for the entries of the jobs.
 */
async function replanUntil(
  pointer: CalendarPointer,
  untilMs: number,
  deps: ApiDeps,
): Promise<CalendarReplan> {
  const hasTime = () => deps.clock.monotonicMs() < untilMs;
  try {
    return await replanCalendar(pointer, { hasTime, admits: (jobs) => admits(pointer, jobs, deps) }, deps);
  } catch (error) {
    deps.log.error('the jobs of a calendar are left to the auditor', error, {
      calendarId: pointer.calendarId,
    });
    return { replanned: 0, remaining: 1, movedIntoPast: [] };
  }
}

async function admits({ userId }: CalendarKey, jobs: number, { quotas }: ApiDeps): Promise<boolean> {
  try {
    await quotas.chargeRate(userId, 'changes', jobs);
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 429) return false;
    throw error;
  }
}

/** A calendar after a change, and what became of its jobs. */
const calendarChangeView = (
  pointer: CalendarPointer,
  calendar: Calendar,
  { replanned, remaining, movedIntoPast }: CalendarReplan,
): CalendarChangeView => ({
  ...calendarSummary(pointer, calendar),
  changing: remaining > 0,
  ...contentView(calendar),
  replanned,
  remaining,
  movedIntoPast: movedIntoPast.map(({ jobId, wasAtMs, movedToMs }) => ({
    jobId,
    at: instantText(wasAtMs),
    movedTo: instantText(movedToMs),
  })),
});
