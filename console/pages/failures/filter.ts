import { type FailuresFilter, isSpan } from '../../api/failures-filter';

export const SHOWN = ['open', 'seen', 'skipped', 'all'] as const;
export type Shown = (typeof SHOWN)[number];

export const shownOf = (query: URLSearchParams): Shown =>
  SHOWN.find((one) => one === query.get('show')) ?? 'open';

const isInstant = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

/** The filter that an address names. Two instants win over a span. */
export function filterOf(query: URLSearchParams): FailuresFilter {
  const [from, to, span] = [query.get('from'), query.get('to'), query.get('span')];
  return {
    span:
      isInstant(from) && isInstant(to)
        ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
        : isSpan(span)
          ? span
          : '24h',
    tags: query.getAll('tag'),
    view: query.get('view') === 'all' ? 'all' : 'inbox',
  };
}
