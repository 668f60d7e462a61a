import type { Mutant } from './mutant';

const UPDATE_ALERT = 'lambdas/core/alerts/update-alert.ts';
const CALENDAR_END = 'lambdas/core/alerts/tell-calendar-end.ts';
const CALENDAR_ENDS = 'test/integration/pipeline/calendar-ends.test.ts';
const MESSAGES = 'test/integration/pipeline/notifications.test.ts';
const DURATIONS = 'test/integration/pipeline/expect-duration.test.ts';
const IN_EFFECT = 'test/integration/pipeline/notification-in-effect.test.ts';

export const alertMutants: readonly Mutant[] = [
  {
    name: 'a run that was moved to an earlier time is no success',
    file: 'lambdas/core/alerts/expectations.ts',
    find: ' ?? (await successIn(ahead, afterMs, job, deps))',
    replace: '',
    killedBy: 'test/integration/pipeline/expect-every.test.ts',
    test: 'moved to an earlier time',
  },
  {
    name: 'a slow success resolves the incident that it has opened',
    file: 'lambdas/core/alerts/watch-entries.ts',
    find: "kindOfEndFor(notification, row) === 'succeeded'",
    replace: "kindOfEndFor({ on: [] }, row) === 'succeeded'",
    killedBy: DURATIONS,
    test: 'keeps an incident open until a success is within its bounds',
  },
  {
    name: 'a backfill has the bounds of its job',
    file: 'lambdas/core/ending/end-without-follow-ups.ts',
    find: ' || !job?.expectDuration || !isOfJob(execution)',
    replace: ' || !job?.expectDuration',
    killedBy: DURATIONS,
    test: 'is the whole run, and its tasks and a backfill have no bounds',
  },
  {
    name: 'a sweeper knows for a minute what notifications there were',
    file: 'lambdas/core/alerts/alerting.ts',
    find: 'cachedFor(NOTIFICATIONS_KNOWN_WITHIN_MS)',
    replace: 'cachedFor(MINUTE_MS)',
    killedBy: IN_EFFECT,
    test: 'tells of all that ends after its answer',
  },
  {
    name: 'a notification is answered before every process knows it',
    file: 'lambdas/api/notifications/notifications.ts',
    find: '  await deps.clock.sleep(NOTIFICATIONS_KNOWN_WITHIN_MS);\n',
    replace: '  void NOTIFICATIONS_KNOWN_WITHIN_MS;\n',
    killedBy: IN_EFFECT,
    test: 'read the others just before its answer',
  },
  {
    name: 'a message that is decided on has no entry',
    file: UPDATE_ALERT,
    find: 'entry = counted.pending && (await fileEntry(notification, sighted, counted.pending, deps));',
    replace: 'void fileEntry;',
    killedBy: MESSAGES,
    test: 'files the message that a job is late',
  },
  {
    name: 'a pending message is known to the process that decided on it alone',
    file: UPDATE_ALERT,
    find: 'let alert = await deps.alerts.get(ref);',
    replace:
      'let alert = await deps.alerts.get(ref);\n      if (alert) alert = { ...alert, pending: undefined };',
    killedBy: MESSAGES,
    test: 'files the message that a job is late',
  },
  {
    name: 'a repeat of messages about the end of a calendar has a time of its own',
    file: CALENDAR_END,
    find: 'known?.atMs ?? nowMs',
    replace: '(known, nowMs)',
    killedBy: CALENDAR_ENDS,
    test: 'dies between its message and the end',
  },
  {
    name: 'the end of a calendar is done before its messages are filed',
    file: CALENDAR_END,
    find: '{ ...pointer, notifiedEnd: notified, etag',
    replace: '{ ...pointer, notifiedEnd: { ...notified, isDone: true as const }, etag',
    killedBy: CALENDAR_ENDS,
    test: 'dies between its mark and its message',
  },
  {
    name: 'the incident of a paused or deleted job stays open',
    file: 'lambdas/core/alerts/watch-incidents.ts',
    find: ': withdrawn(execId, deps.clock.nowMs());',
    replace: ': undefined;',
    killedBy: 'test/integration/pipeline/incidents.test.ts',
    test: 'is resolved by a pause',
  },
  {
    name: 'a user cannot pause what pauseAfter has paused',
    file: 'lambdas/api/jobs/job-changes.ts',
    find: "  if (current.pausedVia !== 'system') return current;",
    replace: "  if (current.pausedVia !== undefined || current.status === 'paused') return current;",
    killedBy: 'test/integration/pipeline/incidents.test.ts',
    test: 'that pauseAfter has paused',
  },
  {
    name: 'an incident is sent by its message, and not by its state',
    file: 'lambdas/core/delivery/call/incident.ts',
    find: 'if (job) return isIncidentOpen(',
    replace: 'if (job) return true || isIncidentOpen(',
    killedBy: 'test/integration/pipeline/incidents.test.ts',
    test: 'never gets an incident that is over',
  },
  {
    name: 'what is sent of an incident is not compared with its state after the call',
    file: 'lambdas/core/delivery/call/incident.ts',
    find: '    sent = isOpen;\n',
    replace: '    return result;\n',
    killedBy: 'test/integration/pipeline/incidents.test.ts',
    test: 'is resolved again if a slow trigger arrives',
  },
  {
    name: 'what fails again without a claim is taken for a repeat',
    file: 'lambdas/core/domain/alert.ts',
    find: "const isUnclaimed = kind === 'failed' && fence === 0;",
    replace: "const isUnclaimed = kind === 'failed' && fence < 0;",
    killedBy: 'test/integration/pipeline/notifications.test.ts',
    test: 'that no worker has claimed',
  },
];
