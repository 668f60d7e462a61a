import { jobKeyOf, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import {
  type Alert,
  type AlertRules,
  begunAnew,
  filed,
  saysOver,
  seen,
  type Sighting,
  type Tell,
} from '../domain/alert';
import type { AttemptEntry } from '../domain/entry';
import type { Execution } from '../domain/execution';
import { expectationOf } from '../domain/expectation';
import type { Job } from '../domain/job';
import {
  causeStands,
  hiddenJobOf,
  keepsIncidents,
  type Notification,
  opensAlert,
} from '../domain/notification';
import { CLOCK_SKEW_MS } from '../domain/timing';
import { parseDuration } from '../schedule/duration';
import { fileMessage, fileRunEntry, messageIdOf } from './file-message';
import { messageContextOf, executionMessage, type MessageContext, missedMessage } from './message';
import { countMessage } from './storm';
import { fileWatch, successMeanwhile } from './watch-entries';

/** The job of sightings; undefined: it is deleted. */
export interface SightedJob {
  jobKey: string;
  job: Job | undefined;
}

/** Writes before this many lost races fail the recheck. */
const MAX_RACES = 10;

function rulesOf(notification: Notification): AlertRules {
  const opensIncidents = keepsIncidents(notification);
  return {
    opens: (problem) => opensAlert(notification, problem),
    tells: (kind) =>
      kind === 'recovered' ? opensIncidents || notification.on.includes(kind) : isNamed(notification, kind),
    minIntervalMs: parseDuration(notification.minInterval),
    opensIncidents,
  };
}

const isNamed = ({ on }: Notification, kind: Tell['kind']): boolean =>
  kind !== 'withdrawn' && on.includes(kind);

/** Problems that concern no one any more open no incident. */
const thatStand = (
  notification: Notification,
  { job }: SightedJob,
  sightings: readonly Sighting[],
): readonly Sighting[] =>
  keepsIncidents(notification)
    ? sightings.filter(
        ({ kind, atMs }) =>
          kind === 'succeeded' || kind === 'withdrawn' || causeStands(notification, job, atMs),
      )
    : sightings;

/**
 * Updates what a notification knows of a job, by sightings in their order, and files the messages that
 * follow. For each message: it counts in its minute → its entry is filed → the state names it as pending → it
 * is filed → the state says so. A process that dies in between leaves a message pending. The next sighting of
 * the job files it, or the recheck of its entry: the sighting itself may not come again. It has the same id
 * then, so it is told once.
 *
 * @param sightings none: only a pending message is filed
 */
export async function updateAlert(
  notification: Notification,
  sighted: SightedJob,
  sightings: readonly Sighting[],
  deps: StageDeps,
): Promise<void> {
  const { project, id } = notification;
  const ref = { project, notification: id, jobId: jobRefOf(sighted.jobKey).jobId };
  const write = async (next: Alert, before: Alert | undefined): Promise<Alert> => {
    if ((await deps.alerts.put(ref, next, before?.version)) === 'changed') throw new LostRaceError();
    return next;
  };
  let left = thatStand(notification, sighted, sightings);
  for (let races = 0; ;) {
    try {
      let alert = await deps.alerts.get(ref);
      let entry: AttemptEntry | undefined;
      while (left.length > 0 || alert?.pending) {
        if (alert?.pending) {
          await fileTell(notification, sighted, { tell: alert.pending, entry }, deps);
          const next = filed(alert);
          const success = await successMeanwhile(notification, sighted, alert, deps);
          const rules = rulesOf(notification);
          alert = await write((success && seen(next, success, rules, deps.clock.nowMs())) ?? next, alert);
          continue;
        }
        if (alert && isOfEarlierJob(alert, notification, sighted)) {
          alert = await write(begunAnew(alert), alert);
          continue;
        }
        const { taken, next } = stepOver(alert, left, rulesOf(notification), deps.clock.nowMs());
        if (next) {
          const counted = await countPending(next, notification, deps);
          entry = counted.pending && (await fileEntry(notification, sighted, counted.pending, deps));
          if (next.openedMs !== alert?.openedMs) await fileWatch(notification, sighted.jobKey, next, deps);
          alert = await write(counted, alert);
        }
        left = left.slice(taken);
      }
      return;
    } catch (error) {
      if (!(error instanceof LostRaceError) || ++races > MAX_RACES) throw error;
    }
  }
}

/** Whether the problems are those of a deleted job that had the id. An incident of it is withdrawn. */
const isOfEarlierJob = (
  { isOpen, lastMs }: Alert,
  notification: Notification,
  { job }: SightedJob,
): boolean =>
  isOpen && !keepsIncidents(notification) && job !== undefined && lastMs < job.createdAtMs - CLOCK_SKEW_MS;

class LostRaceError extends Error {
  constructor() {
    super('other processes keep changing an alert');
  }
}

/** The sightings up to the first that tells, as one step: many failures of one job cost one write. */
function stepOver(
  current: Alert | undefined,
  sightings: readonly Sighting[],
  rules: AlertRules,
  nowMs: number,
): { next: Alert | undefined; taken: number } {
  let next: Alert | undefined;
  for (const [index, sighting] of sightings.entries()) {
    next = seen(next ?? current, sighting, rules, nowMs) ?? next;
    if (next?.pending) return { next, taken: index + 1 };
  }
  return { next, taken: sightings.length };
}

/** Counts the pending message in this minute. Beyond those of the minute, its summary tells it. */
async function countPending(next: Alert, notification: Notification, deps: StageDeps): Promise<Alert> {
  if (!next.pending) return next;
  // Each incident is resolved by itself.
  if (saysOver(next.pending) && keepsIncidents(notification)) return next;
  return (await countMessage(notification, deps)) === 'in-summary' ? filed(next) : next;
}

const fileEntry = (
  notification: Notification,
  { jobKey }: SightedJob,
  tell: Tell,
  deps: StageDeps,
): Promise<AttemptEntry> => {
  const execId = messageIdOf(notification, jobKey, tell);
  return fileRunEntry(hiddenJobOf(notification), { execId, atMs: tell.atMs, aboutJobKey: jobKey }, deps);
};

/** @param entry undefined: another process has decided on the message, and may have filed it */
async function fileTell(
  notification: Notification,
  { jobKey, job }: SightedJob,
  { tell, entry }: { tell: Tell; entry: AttemptEntry | undefined },
  deps: StageDeps,
): Promise<void> {
  const execId = messageIdOf(notification, jobKey, tell);
  const messageKey = jobKeyOf(hiddenJobOf(notification));
  if (!entry && (await deps.executions.get({ jobKey: messageKey, execId }))) return;
  const isExecution = !expectationOf(tell.execId);
  const execution = isExecution ? await deps.executions.get({ jobKey, execId: tell.execId }) : undefined;
  const message = messageOf(tell, execution, { jobKey, job }, messageContextOf(notification, deps));
  const deliveryDepth = execution?.deliveryDepth ?? job?.deliveryDepth ?? 0;
  const filing = { execId, atMs: tell.atMs, message, deliveryDepth, aboutJobKey: jobKey, entry };
  await fileMessage(notification, filing, deps);
}

function messageOf(
  tell: Tell,
  execution: Execution | undefined,
  sighted: SightedJob,
  context: MessageContext,
) {
  const expected = expectationOf(tell.execId);
  const { job } = sighted;
  return expected && job?.expectEvery !== undefined
    ? missedMessage(tell, expected, { ...job, expectEvery: job.expectEvery }, context)
    : executionMessage(tell, execution, sighted, context);
}
