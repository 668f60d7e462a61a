import { compactInstant, sortWithinUserOf } from './tables';

/** In the execId of a date of a backfill. No other execId has it. */
export const DATE_MARK = '-d-';

/** What the position of a ticket follows from; `sort`: where it was found. */
export interface TicketPosition {
  jobKey: string;
  execId: string;
  askedAtMs?: number;
  sort?: string;
}

/**
 * Sort key of a ticket, in an ordering queue or beside slots. The holder of an ordering key is at
 * `CONTROL_SORT`. A date of a backfill stands where it began, not at its date: all dates would come first.
 */
export const ticketSortOf = ({ sort, askedAtMs, ...ref }: TicketPosition): string => {
  if (sort !== undefined) return sort;
  const isDate = ref.execId.includes(DATE_MARK) && askedAtMs !== undefined;
  return isDate ? `${compactInstant(askedAtMs)}#${sortWithinUserOf(ref)}` : sortWithinUserOf(ref);
};
