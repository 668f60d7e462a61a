import type { JobsFilter } from '../../api/jobs-filter';

/** The filter that an address names. */
export const filterOf = (query: URLSearchParams): JobsFilter => ({
  q: query.get('q') ?? '',
  status: query.get('status') ?? '',
  tags: query.getAll('tag'),
  lastStatus: query.get('last') ?? '',
});

/** The parameters of the address that say this. */
export const valuesOf = ({ q, status, tags, lastStatus }: JobsFilter) => ({
  q,
  status,
  tag: tags,
  last: lastStatus,
});

export const isFiltered = ({ q, status, tags, lastStatus }: JobsFilter): boolean =>
  Boolean(q || status || lastStatus || tags.length > 0);

/** The filter in words, for a list that it leaves empty. */
export const filterInWords = ({ q, status, tags, lastStatus }: JobsFilter): string =>
  [
    q && `with the text “${q}”`,
    status && `that are ${status}`,
    tags.length > 0 && `with ${tags.join(' and ')}`,
    lastStatus && `whose last execution is ${lastStatus}`,
  ]
    .filter(Boolean)
    .join(', ');
