import type { ExecutionsOfJobs } from '../../client/browser';

type Why = ExecutionsOfJobs['incompleteBecause'][number];

/** Why executions may be missing from a list over all jobs. */
export const INCOMPLETE: Readonly<Record<Why, string>> = {
  journal: 'What ended before the deployment began its journal of ends is missing: each job’s page has it.',
  time: 'There was no time to read all jobs.',
  waiting: 'Executions that have waited for more than an hour are not listed.',
  retention: 'Older records have been removed.',
};
