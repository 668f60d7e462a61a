import type { BackfillRequest } from '../../../client/browser';
import { DAY_MS, isoDate, localOf, MINUTE_MS, utcOf } from '../../time/format';

/** A backfill as its form has it: `from` and `to` are local times, `params` is JSON or empty. */
export interface BackfillDraft extends Required<Omit<BackfillRequest, 'params'>> {
  params: string;
}

/** First and last due time, as RFC 3339. */
export interface Range {
  from: string;
  to: string;
}

/** What the form begins with: a range or the last seven days of a zone, and what the API takes by default. */
export function firstDraft(nowMs: number, zone: string, range?: Range): BackfillDraft {
  const midnight = (daysAgo: number): string => `${isoDate(nowMs - daysAgo * DAY_MS, zone)}T00:00`;
  return {
    from: range ? localOf(Date.parse(range.from), zone) : midnight(7),
    to: range ? localOf(Date.parse(range.to) + MINUTE_MS, zone) : midnight(0),
    parallel: 1,
    order: 'asc',
    only: 'missing',
    onFailure: 'continue',
    overlap: 'respect',
    priority: 'low',
    params: '',
  };
}

/** The request that a form says. Throws a `SyntaxError` if its parameters are no JSON. */
export const requestOf = ({ from, to, params, ...rest }: BackfillDraft, zone: string): BackfillRequest => ({
  ...rest,
  from: utcOf(from, zone),
  to: utcOf(to, zone),
  ...(params.trim() && { params: JSON.parse(params) as Record<string, unknown> }),
});
