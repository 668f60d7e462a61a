import { rangeOf, type TimeSpan } from './spans';

/** Which failures. */
export interface FailuresFilter {
  span: TimeSpan;
  tags: readonly string[];
  /** `inbox`: what no user asked for. `all`: also what was skipped because a user paused or deleted a job. */
  view: 'inbox' | 'all';
  /** Only those of this cause. */
  fingerprint?: string;
}

/** What no user asked for, of the last day. */
export const INBOX: FailuresFilter = { span: '24h', tags: [], view: 'inbox' };

/** The filter as the API takes it. */
export const failuresQuery = ({ span, tags, view, fingerprint }: FailuresFilter) => ({
  ...rangeOf(span),
  ...(tags.length > 0 && { tag: [...tags] }),
  ...(view === 'inbox' && { view: 'inbox' as const }),
  ...(fingerprint !== undefined && { fingerprint }),
});
