import type { Execution } from '../../client/browser';
import { now } from '../app/now';
import { zone } from '../app/zone';
import { clock, count, day, duration } from '../time/format';

const REASONS: Readonly<Record<string, string>> = {
  overlap: 'overlap: the execution before was still running',
  misfire: 'misfire: found after its grace',
  paused: 'the job was paused',
  superseded: 'the schedule was changed before it was due',
  deleted: 'the job was deleted',
  'attempts-exhausted': 'attempts used up',
  'max-age': 'older than the maximum age of its retries',
  fatal: 'an error that a retry does not cure',
  crashed: 'its attempts were lost without an outcome',
  'blocked-target': 'the target may not be called',
  'bad-input': 'a template could not be rendered',
  'bad-payload': 'its payload does not fit the schema of the job',
  'bad-auth': 'the target’s token could not be obtained',
  'cancelled-by-user': 'cancelled by a user',
  'task-failed': 'a task has failed',
  'items-failed': 'items of its list have failed',
  'output-too-large': 'its result is too large to be kept',
  'delivery-depth': 'its messages caused one another too often',
  recursion: 'its runs start one another too deeply',
  'ordering-key': 'it waits for its ordering key',
  'concurrency-key': 'it waits for a slot of its concurrency key',
  'live-runs': 'too many runs are live',
  stopped: 'its run was stopped',
  'not-started': 'no worker asked for it in time',
  'lost-sight': 'the end of its state machine is not known',
  'timed-out': 'it took longer than its time limit',
  awaiting: 'waits for another job',
  rejected: 'a user rejected it',
  'skipped-by-user': 'a user skipped it',
  'nothing-planned': 'nothing is planned in the window that it waits for',
  'upstream-failed': 'the job that it waits for has failed',
};

/** A reason in words; one that this page does not know, as it is. */
export const reasonText = (reason: string): string => REASONS[reason] ?? reason;

const local = (at: string): string =>
  `${day(Date.parse(at), zone.value, now.value)} ${clock(Date.parse(at), zone.value)}`;
const who = (by: Execution['by'] | undefined): string => (by ? ` by ${by.name ?? by.sub}` : '');

/** Why an execution ended as it did, or how it went: one line of the ledger. */
export function whyOrHow(execution: Execution): string {
  const { status, reason, skipped, detail, by, trigger, heldAt } = execution;
  const how = { manual: 'by hand', backfill: 'backfill' }[trigger as string];
  const hand = how ? `${how}${by ? `, ${by.name ?? by.sub}` : ''} · ` : '';
  const parts: string[] = [];
  if (status === 'queued' && detail?.queue !== undefined) parts.push(`waits in ${detail.queue} for a worker`);
  if (status === 'succeeded') return `${hand}${succeeded(execution)}`;
  if (execution.key !== undefined) parts.push(`key ${execution.key}`);
  if (heldAt) parts.push(`held since ${local(heldAt)}: the job is paused`);
  if (reason) parts.push(reasonIn(execution, reason));
  if (detail?.note) parts.push(`“${detail.note}”`);
  if (skipped && skipped.count > 1)
    parts.push(`${local(skipped.from)} to ${local(skipped.to)}: ${count(skipped.count)} occurrences`);
  return hand + parts.join(', ');
}

/** A reason with what the execution knows about it: by whom, what was in the way, how late. */
function reasonIn(execution: Execution, reason: string): string {
  const { detail, by, dueAt } = execution;
  switch (reason) {
    case 'paused':
      return `paused${who(detail?.by)}`;
    case 'cancelled-by-user':
      return `cancelled${who(detail?.by ?? by)}`;
    case 'overlap':
      return detail?.heldBy === undefined
        ? reasonText(reason)
        : `overlap: ${detail.heldBy} was still running`;
    case 'misfire': {
      if (detail?.foundAt === undefined) return reasonText(reason);
      const late = duration(Date.parse(detail.foundAt) - Date.parse(dueAt));
      return `misfire: found ${late} late (grace ${detail.graceSec} s): ${detail.policy}`;
    }
    default:
      return reasonText(reason) + lastError(execution);
  }
}

function succeeded({ attempts, result, targets }: Execution): string {
  const tries = Math.max(0, ...attempts.map(({ attempt }) => attempt));
  const code = result?.statusCode ? `${result.statusCode} ` : '';
  const many = targets.length > 1 ? ` from ${targets.length} targets` : '';
  return `${code}in ${tries <= 1 ? 'one attempt' : `${tries} attempts`}${many}`;
}

function lastError({ attempts }: Execution): string {
  const last = attempts.at(-1);
  return last ? `: ${attemptText(last)}` : '';
}

type Attempt = Execution['attempts'][number];

/** What an attempt got, in a few words. */
export const attemptText = ({ statusCode, error }: Pick<Attempt, 'statusCode' | 'error'>): string =>
  error ?? (statusCode === null ? 'no answer' : `status ${statusCode}`);
