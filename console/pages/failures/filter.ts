import type { FailuresFilter } from '../../api/failures-filter';
import { spanOf } from '../../api/spans';

export const SHOWN = ['open', 'known', 'skipped', 'all'] as const;
export type Shown = (typeof SHOWN)[number];

export const shownOf = (query: URLSearchParams): Shown =>
  SHOWN.find((one) => one === query.get('show')) ?? 'open';

/** The filter that an address names. */
export const filterOf = (query: URLSearchParams): FailuresFilter => ({
  span: spanOf(query),
  tags: query.getAll('tag'),
  view: query.get('view') === 'all' ? 'all' : 'inbox',
});
