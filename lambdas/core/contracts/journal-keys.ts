import { CONTROL_SORT, compactInstant, EXECUTIONS_KEY } from './tables';

/*
 * Keys, in Executions, of the journal of ends. A function may have the right to write rows with this prefix
 * alone.
 */

/** Prefix of the partition keys of all rows of the journal. A job key never begins with `#`. */
export const ENDS = '#ends';

/**
 * Partition key of ends of a project.
 *
 * @param userPart the project, percent-encoded (`userPartOf`)
 * @param day of the execIds, not of the ends: `20261201`. So all ends of one execution are in one partition.
 */
export const endsKeyOf = (userPart: string, day: string): string => `${ENDS}#${userPart}#${day}`;

/**
 * Sort key of a row of ends.
 *
 * @param throughMs no end of the row is later, and no execId names a later time
 * @param name unique in the stream of the table
 */
export const endsSortOf = (throughMs: number, name: string): string => `${compactInstant(throughMs)}#${name}`;

/** Key of the row that says since when the journal has every end. */
export const JOURNAL_START_KEY = {
  [EXECUTIONS_KEY.partition]: `${ENDS}-start`,
  [EXECUTIONS_KEY.sort]: CONTROL_SORT,
};
