import { HOUR_MS } from '../../clock/clock';
import type { Execution } from '../execution';
import { isTerminal } from '../transitions';
import type { Explanation, ExplanationStep, Facts, Stop } from './facts';
import { type Planned, plannedBy } from './planned';
import { explainRecorded } from './recorded';
import { deletedStep, deploymentStep, pausedStep, supersededStep, waitedFor, waitingSteps } from './steps';
import { fromExecution, lengthText } from './texts';
import { nextGeneration, pauseAt } from './timeline';

/**
 * An occurrence without a record counts as on its way for so long. By then, the auditor has had an hour and a
 * half to find it.
 */
const RECORDED_WITHIN_MS = 2 * HOUR_MS;

/**
 * Explains why a job ran, did not run, or will run at one instant, from what is on record alone. Pure. Where
 * the evidence is gone, the verdict is `unknown`.
 */
export const explain = (facts: Facts): Explanation => withBackfills(explainOccurrence(facts), facts);

function explainOccurrence(facts: Facts): Explanation {
  const planned = plannedBy(facts);
  if (facts.row) return explainRecorded(facts, facts.row, planned);
  if (planned.isPlanned === undefined) return unknown(planned, facts);
  if (!planned.isPlanned) return notPlanned(planned, facts);
  if (facts.atMs > facts.nowMs) return inFuture(planned, facts);
  if (facts.atMs < facts.retainedFromMs) return notRetained(planned, facts);
  return unrecorded(planned, facts);
}

function unknown({ steps, time }: Planned, { atMs }: Facts): Explanation {
  const sentence = `It is not known what was planned at ${time(atMs)}: the changes of the job are not kept so far.`;
  return { verdict: 'unknown', sentence, steps };
}

function notPlanned(planned: Planned, facts: Facts): Explanation {
  const { steps, time, until } = planned;
  const at = time(facts.atMs);
  if (until) {
    const sentence = `Nothing was planned at ${at} any more: the schedule had been replaced.`;
    return { verdict: 'not-planned', sentence, steps: [...steps, supersededStep(facts, planned)] };
  }
  const isNone = steps.some(({ code }) => code === 'existed');
  const sentence = isNone ? `The job did not exist at ${at}.` : `The job does not plan to run at ${at}.`;
  return { verdict: 'not-planned', sentence, steps };
}

function inFuture({ steps, time }: Planned, facts: Facts): Explanation {
  const at = time(facts.atMs);
  if (pauseAt(facts, facts.atMs)) {
    const sentence = `The job will not run at ${at} unless it is resumed before.`;
    return { verdict: 'not-planned', sentence, steps: [...steps, pausedStep(facts, time)] };
  }
  const isStopped = facts.stops.some(({ startedAtMs }) => startedAtMs === undefined);
  const sentence = `The job will run at ${at}${isStopped ? ', if maintenance mode ends before' : ''}.`;
  return { verdict: 'will-run', sentence, steps: [...steps, deploymentStep(facts, time)] };
}

function notRetained({ steps, time }: Planned, { atMs }: Facts): Explanation {
  const text = 'Records of that time have been removed: their retention has ended.';
  const step: ExplanationStep = { code: 'retention', holds: null, text, evidence: null };
  const sentence = `It is not known what became of the occurrence of ${time(atMs)}: its retention has ended.`;
  return { verdict: 'unknown', sentence, steps: [...steps, step] };
}

/** Planned and due, and nothing is on record: never claimed, since a claim writes a row. */
function unrecorded(planned: Planned, facts: Facts): Explanation {
  const { time } = planned;
  const { atMs, nowMs } = facts;
  const at = time(atMs);
  const { stop, fromMs } = stoppedUntil(facts);
  const steps = [...planned.steps, deploymentStep(facts, time, stop)];
  if (pauseAt(facts, atMs)) {
    const sentence = `The occurrence of ${at} was skipped because the job was paused.`;
    return { verdict: 'skipped', sentence, steps: [...steps, pausedStep(facts, time), noRecord(facts)] };
  }
  const change = nextGeneration(facts, atMs);
  const isInTime = (change?.atMs ?? nowMs) - fromMs <= RECORDED_WITHIN_MS;
  if (change && isInTime) return endedByChange(planned, facts, steps);
  const waiting = waitingSteps(facts);
  if (!change && (waiting.length > 0 || isInTime)) {
    const isStopped = stop !== undefined && stop.startedAtMs === undefined;
    const waits = waitedFor(facts);
    const what = waits === undefined ? 'is on its way' : `waits for ${waits}`;
    const sentence = `The occurrence of ${at} ${isStopped ? 'waits for the end of maintenance mode' : what}.`;
    return { verdict: 'waits', sentence, steps: [...steps, ...waiting, noRecord(facts)] };
  }
  const sentence = `The occurrence of ${at} should have a record and has none: it is lost, or the deployment is far behind.`;
  return { verdict: 'lost', sentence, steps: [...steps, noRecord(facts)] };
}

/**
 * From when on the deployment had time to record the occurrence. That is its due time, the end of the wait
 * for its ping, or the end of the stops that came first.
 */
function stoppedUntil({ atMs, nowMs, stops, pingsWithinMs = 0 }: Facts): { stop?: Stop; fromMs: number } {
  let fromMs = atMs + pingsWithinMs;
  let stop: Stop | undefined;
  for (const one of stops.toReversed()) {
    const endMs = one.startedAtMs ?? nowMs;
    if (one.sinceMs - fromMs > RECORDED_WITHIN_MS || endMs <= fromMs) continue;
    [stop, fromMs] = [one, endMs];
  }
  return { ...(stop && { stop }), fromMs };
}

/** The job changed soon after the due time: what had not begun by then does not begin any more. */
function endedByChange(planned: Planned, facts: Facts, steps: readonly ExplanationStep[]): Explanation {
  const { time } = planned;
  const at = time(facts.atMs);
  const change = nextGeneration(facts, facts.atMs)!;
  const [because, step] =
    change.what === 'deleted'
      ? (['the job was deleted', deletedStep(facts, time)] as const)
      : change.status === 'paused'
        ? (['the job was paused', pausedStep(facts, time)] as const)
        : (['the schedule of the job was replaced', supersededStep(facts, planned)] as const);
  const sentence = `The occurrence of ${at} did not run: it had not begun when ${because}.`;
  return { verdict: 'skipped', sentence, steps: [...steps, step, noRecord(facts)] };
}

function noRecord({ atMs, nowMs, work }: Facts): ExplanationStep {
  if (work?.offeredAtMs !== undefined) {
    const text = 'It has no record yet: the claim of a worker writes one.';
    return { code: 'ledger', holds: null, text, evidence: null };
  }
  const text = `There is no record of it, ${lengthText(nowMs - atMs)} after its due time.`;
  return { code: 'ledger', holds: false, text, evidence: null };
}

/**
 * An explanation with what backfills made of the date. They do not change the verdict, which is about
 * the occurrence.
 */
function withBackfills(explanation: Explanation, { backfilled = [] }: Facts): Explanation {
  const last = backfilled.at(-1);
  if (!last) return explanation;
  const { steps, sentence } = explanation;
  const hint = ` A backfill ${last.status === 'succeeded' ? 'has run it since' : `started it: ${last.status}`}.`;
  return { ...explanation, sentence: sentence + hint, steps: [...steps, ...backfilled.map(stepOf)] };
}

function stepOf({ execId, status, reason, parent }: Execution): ExplanationStep {
  const how = isTerminal(status) ? `ended as ${status}` : `is ${status}`;
  const because = reason === undefined ? '' : ` (${reason})`;
  const of = parent ? ` ${parent.execId}` : '';
  const text = `The backfill${of} started an execution for this date, which ${how}${because}.`;
  return { code: 'backfilled', holds: status === 'succeeded', text, evidence: fromExecution(execId) };
}
