import { createHash } from 'node:crypto';

import { isHiddenJob } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import { CLOCK_SKEW_MS } from '../../../lambdas/core/domain/timing';
import {
  type Call,
  idOf,
  isManual,
  isPlanned,
  isTask,
  scheduleIn,
  type Story,
  userOf,
  versionsIn,
} from '../story';
import { callsOf, rowOf } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';
import { stampIn } from '../sim-target';
import { tenuresOf } from './leases';

/** Every call is justified by a definition that was in the table between its claim and itself. */
export function checkObedience(story: Story): Violation[] {
  return story.calls.flatMap((call) => [...checkCall(call, story)]);
}

function* checkCall(call: Call, story: Story): Generator<Violation> {
  const { jobKey, execId, fence, stamp, t } = call;
  const tenure = tenuresOf(story.states.get(idOf(call)) ?? []).find((one) => one.fence === fence);
  if (!tenure) return; // `checkLeases` reports it
  const what = `${jobKey} ${execId} fence ${fence} called at ${clockTime(t)}`;
  const definitions = versionsIn(story, jobKey, tenure.fromMs, t).flatMap(({ job }) => job ?? []);
  if (definitions.length === 0) return yield broken('obeyed', `${what}: the job was gone`);
  if (wasGoneAtFirst(call, story))
    return yield broken('obeyed', `${what}: claimed first while the job was gone, and never called before`);
  // The inputs of tasks are rendered always, those of other jobs if they say so.
  if (isTask(execId) && call.hasTemplate) yield broken('payload', `${what}: its input is not rendered`);
  if (isOfAnotherJob(call, definitions, story))
    return yield broken('obeyed', `${what}: it goes on with the work of a deleted job`);
  if (isManual(execId) || isTask(execId)) return;
  const wrong = definitions.map((job) => whyNot(job, call, story));
  if (!wrong.includes(undefined)) yield broken('obeyed', `${what}: ${wrong.join(', ')}`);
  const stamps = definitions.map(({ payload }) => stampIn(payload));
  if (!stamps.includes(stamp))
    yield broken('payload', `${what}: sent ${stamp}, the job says ${stamps.join(', ')}`);
}

/** Undefined if the definition asks for the call. */
function whyNot(job: Job, call: Call, story: Story): string | undefined {
  const { jobKey, dueAtMs } = call;
  if (job.status === 'paused' && dueAtMs < (job.resumeAtMs ?? Number.POSITIVE_INFINITY)) return 'paused';
  if (goesOn(call, story)) return undefined;
  if (job.activeSinceMs > dueAtMs && !hadBegunBy(job.activeSinceMs, call, story))
    return `active only since ${clockTime(job.activeSinceMs)}`;
  // Due before the change, and still one of the due times: it is called with the present definition.
  const kept = dueAtMs <= job.scheduleChangedAtMs && scheduleIn(job, jobKey).occursAt(dueAtMs);
  const isAsked =
    hadBegunBy(job.scheduleChangedAtMs, call, story) ||
    kept ||
    isPlanned(job, jobKey, dueAtMs) ||
    isPlanned(withoutCalendars(job, call, story), jobKey, dueAtMs);
  return isAsked ? undefined : `no such time in generation ${job.generation}`;
}

/**
 * The executor asks the calendars as they are then, and not the job: `checkCalendars` does so too. If one has
 * changed since the job was planned, other times may have used up `maxRuns`.
 */
function withoutCalendars(job: Job, call: Call, story: Story): Job {
  const { schedule, calendars, ...rest } = job;
  if (!calendars || typeof schedule === 'string') return job;
  const open = { ...schedule, exclude: undefined, only: undefined, onExcluded: undefined };
  const counted = hasNewCalendar(job, call, story) ? { ...open, maxRuns: undefined } : open;
  return { ...rest, schedule: counted as Job['schedule'] };
}

const hasNewCalendar = ({ calendars = [], updatedAtMs }: Job, call: Call, story: Story): boolean =>
  calendars.some(({ id }) =>
    story.calendars
      .get(`${userOf(call.jobKey)}/${id}`)
      ?.some(({ t }) => t > updatedAtMs - story.conditions.skewMs && t <= call.t),
  );

/**
 * Whether a takeover calls what was claimed first while the job was deleted. That claim called nothing, so a
 * job that has come back since, or a new one, does not justify the call. By the clocks, the claim was then.
 */
function wasGoneAtFirst(call: Call, story: Story): boolean {
  if (call.fence === 1 || isTask(call.execId) || goesOn(call, story)) return false;
  const first = (story.states.get(idOf(call)) ?? []).find(({ execution }) => execution.fence > 0);
  if (!first) return false;
  // A change by any clock that is so near may have come before the claim.
  const nearMs = story.conditions.skewMs + CLOCK_SKEW_MS;
  const versions = versionsIn(story, call.jobKey, first.t - nearMs, first.t + nearMs);
  return versions.length > 0 && versions.every(({ job }) => job === null);
}

/**
 * Whether what is called began before its job was created, by any clock, or was started for another one. A
 * user retry may do that, and a hidden job delivers what the one before it has left.
 */
function isOfAnotherJob(call: Call, definitions: readonly Job[], { states, conditions }: Story): boolean {
  if (isTask(call.execId) || isHiddenJob(call.jobKey) || conditions.wildClocks) return false;
  const seen = states.get(idOf(call)) ?? [];
  const claimed = seen.find(({ execution }) => execution.fence === call.fence);
  const first = seen.find(({ execution }) => execution.fence > 0);
  if (!claimed || !first || claimed.execution.userRetries !== undefined) return false;
  const { jobCreatedAtMs } = claimed.execution;
  const nearMs = conditions.skewMs + CLOCK_SKEW_MS;
  return definitions.every(({ createdAtMs }) =>
    jobCreatedAtMs === undefined ? createdAtMs > first.t + nearMs : createdAtMs !== jobCreatedAtMs,
  );
}

/** Whether the call goes on with what was called before, or what a user retried. */
function goesOn(call: Call, { states, calls }: Story): boolean {
  const claimed = (states.get(idOf(call)) ?? []).find(({ execution }) => execution.fence === call.fence);
  if (claimed?.execution.userRetries !== undefined) return true;
  return callsOf({ calls }, idOf(call)).some((one) => one.fence < call.fence);
}

/**
 * Whether the call goes on with a claim from before one change of the job. A claim between two changes
 * excuses nothing that the first of them forbids, and a takeover alone excuses nothing.
 */
function hadBegunBy(changedAtMs: number, call: Call, { states, conditions }: Story): boolean {
  if (call.fence === 1) return false;
  const first = (states.get(idOf(call)) ?? []).find(({ execution }) => execution.fence > 0);
  const firstMs = Math.min(first?.t ?? 0, first?.execution.startedAtMs ?? 0);
  return firstMs <= changedAtMs + conditions.skewMs;
}

/** They answer with the job as it is then. What other operations change is checked elsewhere. */
const ON_DEFINITIONS: readonly string[] = [
  'createJob',
  'putJob',
  'patchJob',
  'pauseJob',
  'resumeJob',
  'restoreJob',
];
const STARTS: readonly string[] = ['runJob', 'startBackfill'];

/** What the API has acknowledged is in the tables. An accepted manual run has a record. */
export function checkAcknowledged(story: Story): Violation[] {
  const violations: Violation[] = [];
  for (const one of story.requests) {
    const { operation, type, jobKey, execId, etag, fromMs, untilMs, request, created = [] } = one;
    if (type !== 'ok') continue;
    const what = `request ${request}, ${operation} of ${jobKey} at ${clockTime(fromMs)}`;
    const versions = versionsIn(story, jobKey, fromMs, untilMs);
    for (const { jobKey: key, createdAtMs } of created) {
      const known = story.versions.get(key)?.find(({ job }) => job?.createdAtMs === createdAtMs);
      if (!known || known.fromMs > untilMs)
        violations.push(broken('acknowledged', `${what}: ${key} was not in the table then`));
    }
    if (STARTS.includes(operation)) {
      if (!rowOf(story, `${jobKey}#${execId}`))
        violations.push(broken('run-now', `${what}: ${execId} has no record`));
    } else if (operation === 'cancelExecution') {
      const states = story.states.get(`${jobKey}#${execId}`) ?? [];
      // The cancel of a failed execution only stops it from blocking its ordering key.
      const isRequested = states.some(
        ({ execution }) =>
          execution.cancelRequested || execution.status === 'cancelled' || execution.blocksKey === true,
      );
      if (!isRequested) violations.push(broken('acknowledged', `${what}: ${execId} knows nothing of it`));
    } else if (operation === 'retryExecution') {
      const states = story.states.get(`${jobKey}#${execId}`) ?? [];
      const userRetries = states.some(({ t, execution }) => t <= untilMs && execution.status === 'retrying');
      if (!userRetries) violations.push(broken('acknowledged', `${what}: ${execId} knows nothing of it`));
    } else if (operation === 'deleteJob') {
      const gone = versions.some(({ job }) => job === null);
      if (!gone) violations.push(broken('acknowledged', `${what}: the job was never gone`));
    } else if (operation === 'provisionMonitor') {
      if (versions.every(({ job }) => job === null))
        violations.push(broken('acknowledged', `${what}: the monitor was not in the table then`));
    } else if (ON_DEFINITIONS.includes(operation)) {
      const acked = story.versions.get(jobKey)?.find(({ job }) => job?.etag === etag);
      const wanted = { pauseJob: 'paused', resumeJob: 'active' }[operation] ?? acked?.job?.status;
      if (!acked || acked.fromMs > untilMs || acked.job?.status !== wanted) {
        violations.push(broken('acknowledged', `${what}: etag ${etag} was not in the table then`));
      }
    }
  }
  return violations;
}

/** A task, or an item, that only runs again because it failed has the delivery id of an earlier round. */
function namesOf(execId: string): string[] {
  const [, first, round = '1', item = ''] = /^([^~]*?)(?:~(\d+))?(\.\d{5})?$/.exec(execId)!;
  return Array.from(
    { length: Number(round) },
    (_, index) => `${first}${index === 0 ? '' : `~${index + 1}`}${item}`,
  );
}

/** All attempts of an execution have one delivery id, made of user, job and execution. */
export function checkDeliveryIds(story: Story): Violation[] {
  return story.calls.flatMap(({ jobKey, execId, fence, deliveryId }) => {
    const isExpected = namesOf(execId).some((name) =>
      createHash('sha256').update(`${jobKey}#${name}`).digest('hex').startsWith(deliveryId),
    );
    if (isExpected && deliveryId.length >= LEAST_ID_LENGTH) return [];
    return [broken('delivery-id', `${jobKey} ${execId} fence ${fence} was sent as ${deliveryId}`)];
  });
}

const LEAST_ID_LENGTH = 32;
