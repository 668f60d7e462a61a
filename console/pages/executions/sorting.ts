import type { Execution } from '../../../client/browser';
import { tookMs } from '../../parts/took';

type SortValue = string | number | undefined;

/** What the columns sort by. */
const VALUES = {
  due: ({ dueAt }) => Date.parse(dueAt),
  job: ({ jobId }) => jobId,
  outcome: ({ status }) => status,
  took: tookMs,
  late: ({ latenessMs }) => latenessMs ?? undefined,
} satisfies Record<string, (execution: Execution) => SortValue>;

export type Column = keyof typeof VALUES;

export interface Sorting {
  by: Column;
  isDescending: boolean;
}

/** As the API lists them: the newest first. */
const USUAL: Sorting = { by: 'due', isDescending: true };

/** The order that an address names: `took`, or `-took` for the longest first. */
export function sortingOf(query: URLSearchParams): Sorting {
  const text = query.get('sort') ?? '';
  const by = text.replace(/^-/, '');
  return Object.hasOwn(VALUES, by) ? { by: by as Column, isDescending: text.startsWith('-') } : USUAL;
}

/** What the address says; nothing for the usual order. */
export const sortText = ({ by, isDescending }: Sorting): string =>
  by === USUAL.by && isDescending === USUAL.isDescending ? '' : `${isDescending ? '-' : ''}${by}`;

/** The order after a press on a heading: numbers begin with the largest, and words with A. */
export const pressed = (now: Sorting, by: Column): Sorting => ({
  by,
  isDescending: now.by === by ? !now.isDescending : by !== 'job' && by !== 'outcome',
});

/** Rows without a value come last. Equal rows keep their order. */
export function sorted(items: readonly Execution[], { by, isDescending }: Sorting): Execution[] {
  const sign = isDescending ? -1 : 1;
  return items.toSorted((one, other) => {
    const [a, b]: SortValue[] = [VALUES[by](one), VALUES[by](other)];
    if (a === b) return 0;
    if (a === undefined) return 1;
    if (b === undefined) return -1;
    return a < b ? -sign : sign;
  });
}
