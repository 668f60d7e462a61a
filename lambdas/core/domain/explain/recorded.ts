import type { Execution } from '../execution';
import type { Reason } from '../reason';
import type { Explanation, Facts, ExplanationStep, Verdict } from './facts';
import type { Planned } from './planned';
import {
  begunAtMs,
  cancelledStep,
  deletedStep,
  deploymentStep,
  LATE_AFTER_MS,
  latenessOf,
  lateStep,
  misfireStep,
  noWorkerStep,
  overlapStep,
  pausedStep,
  supersededStep,
  waitedFor,
  waitingSteps,
} from './steps';
import { fromExecution, lengthText } from './texts';

/** Explains an occurrence that a row covers: the row decides, and the rest tells why. */
export function explainRecorded(facts: Facts, row: Execution, planned: Planned): Explanation {
  const { time } = planned;
  const verdict = verdictOf(row);
  const because: ExplanationStep[] = verdict === 'skipped' ? becauseOf(row, facts, planned) : [];
  if (verdict === 'late') because.push(lateStep(row, time));
  if (verdict === 'waits') because.push(...waitingSteps(facts));
  const steps = [...planned.steps, deploymentStep(facts, time), ...because, ledgerStep(row, planned)];
  return { verdict, sentence: sentenceOf(verdict, row, facts, planned), steps };
}

/** Whether an attempt was begun that may have called a target. */
const hasBegun = ({ status, attempts, reason }: Execution): boolean =>
  attempts.length > 0 ||
  status === 'running' ||
  status === 'succeeded' ||
  (status === 'failed' && reason !== 'no-ping');

function verdictOf(row: Execution): Verdict {
  if (hasBegun(row)) return latenessOf(row) > LATE_AFTER_MS ? 'late' : 'ran';
  return row.status === 'skipped' || row.status === 'cancelled' || row.reason === 'no-ping'
    ? 'skipped'
    : 'waits';
}

/** Why it did not run, by the reason of its row. For other reasons, the row alone tells. */
const BECAUSE: Partial<Record<Reason, (row: Execution, facts: Facts, planned: Planned) => ExplanationStep>> =
  {
    paused: (_, facts, { time }) => pausedStep(facts, time),
    superseded: (_, facts, planned) => supersededStep(facts, planned),
    deleted: (_, facts, { time }) => deletedStep(facts, time),
    overlap: (row) => overlapStep(row),
    misfire: (row, _, planned) => misfireStep(row, planned),
    'cancelled-by-user': (row, _, { time }) => cancelledStep(row, time),
  };

function becauseOf(row: Execution, facts: Facts, planned: Planned): ExplanationStep[] {
  const step = row.reason && BECAUSE[row.reason]?.(row, facts, planned);
  const isUnasked = row.reason === 'misfire' || row.reason === 'not-started';
  return [...(step ? [step] : []), ...(isUnasked ? noWorkerStep(facts) : [])];
}

function ledgerStep(row: Execution, { time }: Planned): ExplanationStep {
  const { status, skipped, execId, attempts, userRetries } = row;
  const evidence = fromExecution(execId);
  const covers = skipped !== undefined && skipped.count > 1 && row.status === 'skipped';
  const range = covers
    ? ` One record covers ${skipped.count} occurrences from ${time(skipped.fromMs)} to ${time(skipped.toMs)}.`
    : '';
  const tries = attempts.length > 1 ? ` after ${attempts.length} attempts` : '';
  const again = userRetries ? ` A user ran it again${userRetries > 1 ? ` ${userRetries} times` : ''}.` : '';
  const text = `The execution ${STATE[status]}${reasonText(row)}${tries}.${range}${again}`;
  return { code: 'ledger', holds: hasBegun(row), text, evidence };
}

/** In the words of a sentence. */
const STATE: Record<Execution['status'], string> = {
  queued: 'is queued',
  running: 'is running',
  retrying: 'is retrying',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
  skipped: 'was skipped',
};

const reasonText = ({ reason }: Execution): string => (reason === undefined ? '' : ` (${reason})`);

const SKIPPED_BECAUSE: Partial<Record<Reason, string>> = {
  paused: 'because the job was paused',
  superseded: 'because the schedule of the job was replaced',
  deleted: 'because the job was deleted',
  overlap: 'because another execution of the job had not ended',
  misfire: 'because it was found later than its misfire policy allows',
};

function sentenceOf(verdict: Verdict, row: Execution, facts: Facts, { time }: Planned): string {
  const at = time(facts.atMs);
  if (verdict === 'waits')
    return `The occurrence of ${at} waits for ${waitedFor(facts) ?? 'its next attempt'}.`;
  if (verdict === 'skipped') {
    if (row.reason === 'cancelled-by-user') return `The occurrence of ${at} was cancelled before it ran.`;
    if (row.reason === 'no-ping') return `The occurrence of ${at} was missed: no ping came in time.`;
    const because = row.reason && SKIPPED_BECAUSE[row.reason];
    return `The occurrence of ${at} was ${row.status}${because ? ` ${because}` : ''}.`;
  }
  const begun = begunAtMs(row) ?? facts.atMs;
  const how = `${STATE[row.status]}${reasonText(row)}`;
  const late = verdict === 'late' ? `late, ${lengthText(latenessOf(row))} after its due time` : 'in time';
  return `The occurrence of ${at} ran ${late}: it began at ${time(begun)} and ${how}.`;
}
