import type { Execution } from '../../client/browser';
import { now } from '../app/now';
import { zone } from '../app/zone';
import { clock, count, day, duration } from '../time/format';
import { REASONS, wordsFor } from './words';

/** A reason in words; one that this page does not know, as it is. */
export const reasonText = (reason: string): string => wordsFor(REASONS, reason);

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
