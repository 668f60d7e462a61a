import { jobKeyOf, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import {
  type Alert,
  type AlertRules,
  type AlertStep,
  closed,
  seen,
  type Sighting,
  type Tell,
} from '../domain/alert';
import type { Execution } from '../domain/execution';
import { expectationOf } from '../domain/expectation';
import type { Job } from '../domain/job';
import { hiddenJobOf, type Notification, opensAlert } from '../domain/notification';
import { parseDuration } from '../schedule/duration';
import { fileMessage, messageIdOf } from './file-message';
import { executionMessage, type MessageContext, missedMessage } from './message';
import { countMessage } from './storm';

/** The job of sightings; undefined: it is deleted. */
export interface SightedJob {
  jobKey: string;
  job: Job | undefined;
}

/** Writes before this many lost races fail the recheck. */
const MAX_RACES = 10;

const rulesOf = (notification: Notification): AlertRules => ({
  opens: (problem) => opensAlert(notification, problem),
  tells: (kind) => notification.on.includes(kind),
  minIntervalMs: parseDuration(notification.minInterval),
});

/**
 * Updates what a notification knows of a job, by sightings in their order, and files the messages that
 * follow. For each message: it counts in its minute → the state names it → it is filed. A recheck that dies
 * in between is repeated, finds the message in the state, and files it. It has the same id then, so it is
 * told once.
 */
export async function sight(
  notification: Notification,
  sighted: SightedJob,
  sightings: readonly Sighting[],
  deps: StageDeps,
): Promise<void> {
  const { project, id } = notification;
  const ref = { project, notification: id, jobId: jobRefOf(sighted.jobKey).jobId };
  const file = (tell: Tell, isRepeated = false) => fileTell(notification, sighted, tell, isRepeated, deps);
  const write = async (next: Alert, before: Alert | undefined): Promise<Alert> => {
    if ((await deps.alerts.put(ref, next, before?.version)) === 'changed') throw new LostRaceError();
    return next;
  };
  let left = sightings;
  for (let races = 0; ;) {
    try {
      let alert = await deps.alerts.get(ref);
      while (left.length > 0 || alert?.recovery) {
        if (alert?.recovery) {
          await file(alert.recovery, true);
          alert = await write(closed(alert), alert);
          continue;
        }
        const { taken, ...step } = stepOver(alert, left, rulesOf(notification), deps.clock.nowMs());
        const { next, tell, isRepeated } = await counted(step, notification, deps);
        if (next) alert = await write(next, alert);
        if (tell && !alert?.recovery) await file(tell, isRepeated);
        left = left.slice(taken);
      }
      return;
    } catch (error) {
      if (!(error instanceof LostRaceError) || ++races > MAX_RACES) throw error;
    }
  }
}

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
): AlertStep & { taken: number } {
  let next: Alert | undefined;
  for (const [index, sighting] of sightings.entries()) {
    const step = seen(next ?? current, sighting, rules, nowMs);
    next = step.next ?? next;
    if (step.tell) return { ...step, ...(next && { next }), taken: index + 1 };
  }
  return { ...(next && { next }), taken: sightings.length };
}

/**
 * The step, with its message counted in this minute. A message that was counted before is not counted again.
 */
async function counted(step: AlertStep, notification: Notification, deps: StageDeps): Promise<AlertStep> {
  const { next, tell, isRepeated } = step;
  if (!next || !tell || isRepeated) return step;
  if ((await countMessage(notification, deps)) === 'send') return step;
  const inSummary: Tell = { ...tell, isInSummary: true };
  return {
    next: next.recovery === tell ? { ...next, recovery: inSummary } : { ...next, last: inSummary },
    tell: inSummary,
  };
}

async function fileTell(
  notification: Notification,
  { jobKey, job }: SightedJob,
  tell: Tell,
  isRepeated: boolean,
  deps: StageDeps,
): Promise<void> {
  if (tell.isInSummary) return;
  const execId = messageIdOf(notification, jobKey, tell);
  const messageKey = jobKeyOf(hiddenJobOf(notification));
  if (isRepeated && (await deps.executions.get({ jobKey: messageKey, execId }))) return;
  const isExecution = !expectationOf(tell.execId);
  const execution = isExecution ? await deps.executions.get({ jobKey, execId: tell.execId }) : undefined;
  const { project, id } = notification;
  const context = { notification: id, project, consoleUrl: deps.alerting.consoleUrl };
  const message = messageOf(tell, execution, { jobKey, job }, context);
  const deliveryDepth = execution?.deliveryDepth ?? job?.deliveryDepth ?? 0;
  await fileMessage(notification, { execId, atMs: tell.atMs, message, deliveryDepth }, deps);
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
