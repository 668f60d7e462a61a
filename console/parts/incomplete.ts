import type { ExecutionsOfJobs } from '../../client/browser';

type Why = ExecutionsOfJobs['incompleteBecause'][number];

/** Why executions may be missing from a list over all jobs. */
export const INCOMPLETE: Readonly<Record<Why, string>> = {
  journal: 'The journal of ends is younger than this time.',
  time: 'There was no time to read all jobs.',
  waiting: 'Executions that have waited for more than an hour are not listed.',
  retention: 'Older records have been removed.',
};
