import { MINUTE_MS } from '../../clock/clock';
import { parseDuration } from '../../schedule/duration';
import type { Execution } from '../execution';
import { MIN_GRACE_MS } from '../misfire';
import type { Change, Facts, ExplanationStep, QueueFacts, Stop } from './facts';
import type { Planned } from './planned';
import { byText, fromAhead, fromChanges, fromExecution, lengthText, noteText } from './texts';
import { nextGeneration, pauseAt } from './timeline';

/** A run that begins so much later than it was due is late: the least that a notification can ask for. */
export const LATE_AFTER_MS = 30_000;

/** That a worker asks is noted at most each five minutes. */
const SEEN_WITHIN_MS = 6 * MINUTE_MS;

type Time = Planned['time'];

/** The stop during which the occurrence was due; undefined if it was not due during one. */
const stopAt = ({ stops, atMs }: Facts): Stop | undefined =>
  stops.find(({ sinceMs, startedAtMs = Number.POSITIVE_INFINITY }) => sinceMs <= atMs && atMs < startedAtMs);

/** Whether the deployment worked when the occurrence was due, by what is on record. */
export function deploymentStep(facts: Facts, time: Time, stop = stopAt(facts)): ExplanationStep {
  const { atMs, stops, hasOlderStops, row } = facts;
  const evidence = { text: 'the stops of the deployment' };
  if (stop) {
    const until = stop.startedAtMs === undefined ? ', and it still is' : ` to ${time(stop.startedAtMs)}`;
    const text = `The deployment was in maintenance mode from ${time(stop.sinceMs)}${until}.`;
    return { code: 'deployment', holds: false, text, evidence };
  }
  const oldest = stops.at(-1);
  if (hasOlderStops && oldest && atMs < oldest.sinceMs) {
    const text = 'The record of stops does not reach back so far.';
    return { code: 'deployment', holds: null, text, evidence };
  }
  const begunMs = row && begunAtMs(row);
  const begun =
    begunMs === undefined
      ? ''
      : ` An executor began with it at ${time(begunMs)}, ${lengthText(latenessOf(row!))} after its due time.`;
  const text = `The deployment was not in maintenance mode.${begun}`;
  return { code: 'deployment', holds: true, text, evidence };
}

/** A run that began later than `LATE_AFTER_MS`. */
export function lateStep(row: Execution, time: Time): ExplanationStep {
  const lateMs = latenessOf(row);
  const again = row.userRetries ? ' A user ran it again.' : '';
  const caught = row.trigger === 'catch-up' ? ' The misfire policy caught it up.' : '';
  const text = `It began ${lengthText(lateMs)} late, at ${time(begunAtMs(row)!)}.${caught}${again}`;
  return { code: 'late', holds: false, text, evidence: fromExecution(row.execId) };
}

/**
 * When the first attempt began that may have called a target. `startedAtMs` is the first claim, even if that
 * was skipped and a user ran it again later.
 */
export const begunAtMs = ({
  attempts,
  userRetries,
  claimedAtMs,
  startedAtMs,
}: Execution): number | undefined =>
  attempts[0]?.startedAtMs ?? (userRetries ? claimedAtMs : startedAtMs) ?? startedAtMs;

export const latenessOf = (row: Execution): number => Math.max(0, (begunAtMs(row) ?? 0) - row.dueAtMs);

/** The pause during which it was due; from the row alone if no change tells. */
export function pausedStep(facts: Facts, time: Time): ExplanationStep {
  const { atMs, row } = facts;
  const pause = pauseAt(facts, atMs) ?? laterPause(facts);
  if (!pause) {
    const { by, note } = row?.detail ?? {};
    const text = `The job was paused${byText(by)}${noteText(note)}.`;
    return { code: 'paused', holds: false, text, evidence: row ? fromExecution(row.execId) : null };
  }
  const { paused, ended } = pause;
  const begun = `The job was paused${byText(paused.by)} at ${time(paused.atMs)}${noteText(paused.note)}`;
  const over = ended ? `, and ${endText(ended)}${byText(ended.by)} at ${time(ended.atMs)}` : '';
  const text = `${begun}${over}.${ended ? '' : ' It still is.'} A resume never runs what was missed.`;
  return { code: 'paused', holds: false, text, evidence: fromChanges(paused, ended) };
}

const endText = ({ what }: Change): string => (what === 'deleted' ? 'deleted' : 'resumed');

/** A pause soon after the due time: the execution had not begun then. */
function laterPause({ changes, atMs }: Facts): { paused: Change; ended?: Change } | undefined {
  const index = changes.findIndex(
    ({ atMs: changedAtMs, status }) => changedAtMs >= atMs && status === 'paused',
  );
  if (index < 0) return undefined;
  const ended = changes.slice(index).find(({ status }) => status !== 'paused');
  return { paused: changes[index]!, ...(ended && { ended }) };
}

/** The change after which it was not planned any more. */
export function supersededStep(
  facts: Facts,
  { until, time }: Pick<Planned, 'until' | 'time'>,
): ExplanationStep {
  const change = until ?? nextGeneration(facts, facts.atMs);
  const text = change
    ? `The schedule that planned it was replaced${byText(change.by)} at ${time(change.atMs)}${noteText(change.note)}.`
    : 'A change of the job replaced the schedule that planned it.';
  const { row } = facts;
  const fromRow = row ? fromExecution(row.execId) : null;
  return { code: 'superseded', holds: false, text, evidence: change ? fromChanges(change) : fromRow };
}

export function deletedStep({ changes, atMs, row }: Facts, time: Time): ExplanationStep {
  const all = changes.filter(({ what }) => what === 'deleted');
  const change = all.find((one) => one.atMs >= atMs) ?? all.at(-1);
  const text = change
    ? `The job was deleted${byText(change.by)} at ${time(change.atMs)}${noteText(change.note)}.`
    : 'The job was deleted.';
  const fromRow = row ? fromExecution(row.execId) : null;
  return { code: 'deleted', holds: false, text, evidence: change ? fromChanges(change) : fromRow };
}

export function overlapStep(row: Execution): ExplanationStep {
  const { heldBy } = row.detail ?? {};
  const text =
    row.status === 'cancelled'
      ? 'A newer occurrence took its place: the overlap policy of the job is replace.'
      : heldBy === undefined
        ? 'Another execution of the job had not ended.'
        : `Execution ${heldBy} of the job had not ended.`;
  return { code: 'overlap', holds: false, text, evidence: fromExecution(heldBy ?? row.execId) };
}

export function misfireStep(row: Execution, { definition, time }: Planned): ExplanationStep {
  const { foundAtMs = row.finishedAtMs, graceMs, policy } = row.detail ?? {};
  const misfire = definition?.change.definition?.misfire;
  const grace = graceMs ?? (misfire && Math.max(MIN_GRACE_MS, parseDuration(misfire.grace)));
  const found =
    foundAtMs === undefined
      ? 'The deployment found it too late.'
      : `The deployment found it at ${time(foundAtMs)}, ${lengthText(Math.max(0, foundAtMs - row.dueAtMs))} late.`;
  const within = grace === undefined ? '' : ` The grace is ${lengthText(grace)}.`;
  const by = policy ?? misfire?.policy;
  const decided = by === undefined ? '' : ` The misfire policy ${by} does not run it.`;
  const text = `${found}${within}${decided}`;
  return { code: 'misfire', holds: false, text, evidence: fromExecution(row.execId) };
}

export function cancelledStep(row: Execution, time: Time): ExplanationStep {
  const { by, note } = row.userRequest ?? {};
  const at = row.finishedAtMs === undefined ? '' : ` at ${time(row.finishedAtMs)}`;
  const text = `It was cancelled${byText(by)}${at}${noteText(note)}, before it called a target.`;
  return { code: 'cancelled', holds: false, text, evidence: fromExecution(row.execId) };
}

/** What it waits for, in the words of a sentence; undefined: for none of these. */
export function waitedFor({
  lockHeldBy,
  keyHeldBy,
  slotOf,
  usedUpRate,
  work,
  pingsWithinMs,
}: Facts): string | undefined {
  if (lockHeldBy || keyHeldBy) return 'another execution';
  if (work?.offeredAtMs !== undefined) return `a worker of the queue ${work.queue}`;
  if (pingsWithinMs !== undefined) return 'its ping';
  if (slotOf === undefined) return undefined;
  return usedUpRate ? `the rate of its concurrency key ${slotOf}` : `its concurrency key ${slotOf}`;
}

const fromQueue = ({ queue }: QueueFacts) => ({ text: `the work queue ${queue}` });

/** Who asks for work of a queue. */
function askedText({ lastWorker }: QueueFacts, nowMs: number): string {
  if (!lastWorker) return 'No worker with a name has asked for its work in the last hour.';
  const { worker, seenAtMs } = lastWorker;
  const agoMs = nowMs - seenAtMs;
  if (agoMs <= SEEN_WITHIN_MS) return `The worker ${worker} asks for its work.`;
  return `The last worker that asked for its work is ${worker}, ${lengthText(agoMs)} ago.`;
}

/** It did not run, and its target is a worker: whether any worker asks for such work now. */
export function noWorkerStep({ work, nowMs }: Facts): ExplanationStep[] {
  if (!work || (work.lastWorker && nowMs - work.lastWorker.seenAtMs <= SEEN_WITHIN_MS)) return [];
  return [{ code: 'worker', holds: false, text: askedText(work, nowMs), evidence: fromQueue(work) }];
}

/** What it waits for: a worker; another execution, by its overlap lock or its ordering key; or a slot. */
export function waitingSteps({
  lockHeldBy,
  keyHeldBy,
  hasTicket,
  slotOf,
  usedUpRate,
  work,
  nowMs,
}: Facts): ExplanationStep[] {
  const steps: ExplanationStep[] = [];
  if (work?.offeredAtMs !== undefined) {
    const offered = `It waits in the work queue ${work.queue}, since ${lengthText(nowMs - work.offeredAtMs)}.`;
    const text = `${offered} ${askedText(work, nowMs)}`;
    steps.push({ code: 'worker', holds: false, text, evidence: fromQueue(work) });
  }
  if (lockHeldBy) {
    const text = `It waits until execution ${lockHeldBy.execId} of the job has ended.`;
    steps.push({ code: 'overlap', holds: false, text, evidence: fromAhead(lockHeldBy) });
  }
  if (keyHeldBy) {
    const text = `It waits for its ordering key behind execution ${keyHeldBy.execId} of ${keyHeldBy.jobId}.`;
    steps.push({ code: 'ordering-key', holds: false, text, evidence: fromAhead(keyHeldBy) });
  } else if (hasTicket) {
    const evidence = { text: 'the queue of its ordering key' };
    steps.push({ code: 'ordering-key', holds: true, text: 'It is the first of its ordering key.', evidence });
  }
  if (slotOf !== undefined) {
    const text = usedUpRate
      ? `It waits for its concurrency key ${slotOf}: as many started in the last ${usedUpRate.per} as may, ${usedUpRate.limit}.`
      : `It waits for a slot of its concurrency key ${slotOf}.`;
    steps.push({ code: 'concurrency-key', holds: false, text, evidence: { text: 'the queue of that key' } });
  }
  return steps;
}
