import { CONTROL_SORT, JOBS_KEY } from './tables';

/** Prefix of the partition keys, in Jobs, of what the keys of monitors name. */
export const PING_ROWS = '#pings/';
/** Key of the row in Jobs that says which monitor a key is for. Each row has a partition of its own. */
export const pingRowKeyOf = (pingId: string): Record<string, string> => ({
  [JOBS_KEY.partition]: PING_ROWS + pingId,
  [JOBS_KEY.sort]: CONTROL_SORT,
});
