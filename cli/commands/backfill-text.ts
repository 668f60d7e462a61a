import type { Backfill, BackfillPlan } from '../../client';
import type { Context } from '../context';
import { statusText } from '../terminal/style';
import { fields, plain } from '../terminal/table';
import { bothTimes, instantText } from '../terminal/times';
import { actorText } from './actor-text';
import { EXECUTION_COLUMN } from './execution-text';

/** `12/28, 1 failed`: how many dates of a backfill have ended. */
export function datesText({ items }: Pick<Backfill, 'items'>): string {
  const failed = items.failed > 0 ? `, ${items.failed} failed` : '';
  const cancelled = items.cancelled > 0 ? `, ${items.cancelled} cancelled` : '';
  return `${endedOf(items)}/${items.count}${failed}${cancelled}`;
}

export const endedOf = ({ succeeded, failed, cancelled }: Backfill['items']): number =>
  succeeded + failed + cancelled;

/** What a backfill would do. */
export function planText(plan: BackfillPlan, context: Context, zone: string | undefined): string {
  const { count, first, last, alreadySucceeded, parallel, estimate } = plan;
  return fields([
    ['dates', String(count)],
    ['first', first ? bothTimes(first, zone) : undefined],
    ['last', last ? `${bothTimes(last, zone)}${aheadText(last, context)}` : undefined],
    ['succeeded', alreadySucceeded > 0 ? `${alreadySucceeded} already` : undefined],
    ['at once', String(parallel)],
    ['estimate', `${estimate.writes} writes, ${dollarsText(estimate.dollars)}`],
  ]);
}

/** A date that lies ahead runs now, and once more when it is due. */
const aheadText = (last: string, { io, style }: Context): string =>
  Date.parse(last) > io.nowMs() ? style.warn('  (lies ahead: it would run now, and again when due)') : '';

const dollarsText = (dollars: number): string => {
  if (dollars === 0) return '$0';
  return dollars < 0.01 ? `$${Number(dollars.toPrecision(2))}` : `$${dollars.toFixed(2)}`;
};

/** One backfill, with how to go on. */
export function backfillText(
  backfill: Backfill,
  { style, fields }: Pick<Context, 'style' | 'fields'>,
  zone: string | undefined,
): string {
  const { items, order, only, parallel, onFailure, overlap, params } = backfill;
  const how = [
    `${parallel} at once`,
    order === 'desc' ? 'newest first' : 'oldest first',
    only === 'all' ? 'all dates' : 'missing dates only',
    ...(onFailure === 'stop' ? ['stops at a failure'] : []),
    ...(overlap === 'ignore' ? ['ignores the overlap policy'] : []),
  ];
  return fields([
    ['job', style.strong(backfill.jobId)],
    ['backfill', backfill.execId],
    ['status', `${statusText(backfill.status, style)}${phaseText(backfill)}`],
    ['reason', backfill.reason ?? undefined],
    ['by', backfill.by ? actorText(backfill.by) : undefined],
    ['from', bothTimes(backfill.from, zone)],
    ['to', bothTimes(backfill.to, zone)],
    ['how', how.join(', ')],
    ['priority', backfill.priority],
    ['params', params && plain(JSON.stringify(params))],
    ['dates', datesText(backfill)],
    ['running', items.running > 0 ? String(items.running) : undefined],
    ['waiting', items.waiting > 0 ? String(items.waiting) : undefined],
    ['left out', leftOutText(backfill)],
    ['started', backfill.startedAt ? bothTimes(backfill.startedAt, zone) : undefined],
    ['finished', backfill.finishedAt ? bothTimes(backfill.finishedAt, zone) : undefined],
    ['estimate', `${backfill.estimate.writes} writes, ${dollarsText(backfill.estimate.dollars)}`],
  ]);
}

const leftOutText = ({ only, alreadySucceeded }: Backfill): string | undefined =>
  only === 'missing' && alreadySucceeded > 0 ? `${alreadySucceeded} that had succeeded` : undefined;

const phaseText = ({ phase }: Backfill): string =>
  phase === 'held' ? ', paused' : phase === 'stopping' ? ', stopping' : '';

/** `isOfAllJobs`: with the job of each. */
export const backfillTable = (
  found: readonly Backfill[],
  { style, table }: Pick<Context, 'style' | 'table'>,
  isOfAllJobs: boolean,
): string =>
  table(
    [
      ...(isOfAllJobs ? ['JOB'] : []),
      { ...EXECUTION_COLUMN, head: 'BACKFILL' },
      'STATUS',
      'DATES',
      { head: 'FROM', spare: 1 },
      { head: 'TO', spare: 2 },
      { head: 'AT ONCE', spare: 3 },
    ],
    found.map((backfill) => [
      ...(isOfAllJobs ? [style.strong(backfill.jobId)] : []),
      backfill.execId,
      `${statusText(backfill.status, style)}${phaseText(backfill)}`,
      datesText(backfill),
      `${instantText(backfill.from)}Z`,
      `${instantText(backfill.to)}Z`,
      String(backfill.parallel),
    ]),
  );
