import { EXECUTION_STATUSES } from '../../../client/browser';
import type { ExecutionsFilter, ListedStatus } from '../../api/executions-of-jobs';
import { spanOf } from '../../api/spans';

/** `ended` is each of the four ends. */
export const STATUSES: readonly ListedStatus[] = ['ended', ...EXECUTION_STATUSES];

/** The filter that an address names. */
export const filterOf = (query: URLSearchParams): ExecutionsFilter => ({
  span: spanOf(query),
  status: STATUSES.find((one) => one === query.get('status')),
  tags: query.getAll('tag'),
  q: query.get('q') ?? '',
});

export const isFiltered = ({ status, tags, q }: ExecutionsFilter): boolean =>
  Boolean(status || q || tags.length > 0);

/** The span in words, for a sentence. */
export function spanInWords({ span, status }: ExecutionsFilter): string {
  if (typeof span !== 'string') return 'in this time';
  if (status === 'scheduled') return 'in the next 24 hours';
  return { '1h': 'in the last hour', '24h': 'in the last 24 hours', '7d': 'in the last 7 days' }[span];
}
