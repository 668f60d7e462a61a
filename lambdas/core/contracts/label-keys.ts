/*
 * Partition keys, in Executions, of the rows by which executions are found: by their run tags and external
 * ids. A function may have the right to write rows with this prefix alone.
 */

/** Prefix of the partition keys of all of these rows. A job key never begins with `#`. */
export const LABELS = '#tag';
/** Number of partitions for one run tag of one day: all executions of a project may have it. */
export const TAG_SLOTS = 8;

/** Half of a surrogate pair becomes U+FFFD, as in every text that is stored. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/**
 * Partition key of executions that ended with a run tag.
 *
 * @param userPart the project, percent-encoded (`userPartOf`)
 * @param day of the execIds: `20261201`
 */
export const runTagKeyOf = (userPart: string, runTag: string, day: string, slot: number): string =>
  `${LABELS}#${userPart}#${encoded(runTag)}#${day}#${slot}`;

/** Partition key of executions with an external id: mostly one. */
export const externalIdKeyOf = (userPart: string, externalId: string): string =>
  `${LABELS}-id#${userPart}#${encoded(externalId)}`;
