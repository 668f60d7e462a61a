import { DAY_MS } from '../clock/clock';
import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { CalendarPointer } from '../domain/calendar';
import type { Job } from '../domain/job';
import { hiddenJobOf, type Notification, passesFilter } from '../domain/notification';
import { usesThing } from '../domain/uses';
import type { CalendarStore } from '../store/calendar-store';
import { fileMessage, runIdOf } from './file-message';
import { calendarEndMessage, messageContextOf } from './message';
import { countMessage } from './storm';

interface CalendarEndDeps extends StageDeps {
  calendars: CalendarStore;
}

/** It is told so long before the end: time to import the next year. */
const AHEAD_MS = 30 * DAY_MS;
/** More jobs are not read to find those that use a calendar. */
const MAX_USERS = 100;

/**
 * Tells that a calendar knows nothing after a day of the next month, or before. It tells each such day once,
 * if a job uses the calendar, to the notifications on `calendar-ends`. Order of writes: the pointer, with the
 * time of the messages → the messages → the pointer, done. A repeat files messages of the same ids.
 *
 * A calendar whose end is far away costs the read of its content, once in a process.
 */
export async function tellCalendarEnd(pointer: CalendarPointer, deps: CalendarEndDeps): Promise<void> {
  const { knownUntil } = await deps.calendars.calendarOf(pointer, pointer.version);
  const nowMs = deps.clock.nowMs();
  if (knownUntil === undefined || nowMs < Date.parse(`${knownUntil}T00:00:00Z`) - AHEAD_MS) return;
  const known = pointer.notifiedEnd?.knownUntil === knownUntil ? pointer.notifiedEnd : undefined;
  if (known?.isDone) return;
  const all = await deps.alerting.notificationsOf(pointer.userId);
  const notifications = all.filter(({ on }) => on.includes('calendar-ends'));
  if (notifications.length === 0) return;
  const users = await usersOf(pointer, deps);
  if (users.length === 0) return;
  const notified = { knownUntil, atMs: known?.atMs ?? nowMs };
  const marked = { ...pointer, notifiedEnd: notified, etag: deps.random.id() };
  if ((await deps.calendars.put(marked, pointer.etag)) === 'changed') return;
  for (const notification of notifications) await tell(notification, { pointer, notified, users }, deps);
  await deps.calendars.put(
    { ...marked, notifiedEnd: { ...notified, isDone: true }, etag: deps.random.id() },
    marked.etag,
  );
}

async function usersOf({ userId, calendarId }: CalendarPointer, deps: CalendarEndDeps): Promise<Job[]> {
  const uses = await deps.uses.list(userId, 'calendar', calendarId, { limit: MAX_USERS });
  const jobs = await Promise.all(uses.map((use) => deps.jobs.get(use)));
  return jobs.flatMap((job) => (job && usesThing(job, { kind: 'calendar', name: calendarId }) ? [job] : []));
}

async function tell(
  notification: Notification,
  {
    pointer,
    notified: { knownUntil, atMs },
    users,
  }: { pointer: CalendarPointer; notified: { knownUntil: string; atMs: number }; users: readonly Job[] },
  deps: CalendarEndDeps,
): Promise<void> {
  const jobs = users.filter((job) => passesFilter(notification, job));
  if (jobs.length === 0) return;
  const execId = runIdOf(atMs, [notification.id, pointer.calendarId, knownUntil, 'calendar-ends']);
  if (await deps.executions.get({ jobKey: jobKeyOf(hiddenJobOf(notification)), execId })) return;
  if ((await countMessage(notification, deps)) === 'in-summary') return;
  const context = messageContextOf(notification, deps);
  const message = calendarEndMessage({ ...pointer, knownUntil, jobs }, context);
  await fileMessage(notification, { execId, atMs, message }, deps);
}
