import type { BackfillRequest } from '../../../client/browser';
import { DAY_MS, instantOf, isoDate } from '../../time/format';

/** A backfill as its form has it: `from` and `to` are local times, `params` is JSON or empty. */
export interface BackfillDraft extends Required<Omit<BackfillRequest, 'params'>> {
  params: string;
}

/** What the form begins with: the last seven days of a zone, and what the API takes by default. */
export function firstDraft(nowMs: number, zone: string): BackfillDraft {
  const midnight = (daysAgo: number): string => `${isoDate(nowMs - daysAgo * DAY_MS, zone)}T00:00`;
  return {
    from: midnight(7),
    to: midnight(0),
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
  from: instantText(from, zone),
  to: instantText(to, zone),
  ...(params.trim() && { params: JSON.parse(params) as Record<string, unknown> }),
});

/** An empty field stays empty: the API says what belongs there. */
const instantText = (local: string, zone: string): string =>
  local && new Date(instantOf(local, zone)).toISOString();
