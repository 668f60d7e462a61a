import { has, isListOf, type Row, some, someIn } from './kind';

/** Whether an object is a definition as `jobs create --file` reads it. */
const isDefinition = (value: Record<string, unknown>): boolean =>
  has(value, 'schedule') && ['target', 'targets', 'workflow'].some((name) => has(value, name));

/** What defines jobs. It comes last: other systems have jobs with schedules, too. */
export const JOBS: readonly Row[] = [
  {
    own: 'jobs',
    what: 'a file of jobs',
    advice: 'use quarterjack plan FILE',
    is: (file) =>
      some(file, ({ jobs }) => isListOf(jobs, ['schedule']) || someIn(jobs, (job) => has(job, 'schedule'))),
  },
  {
    own: 'jobs',
    what: 'the definition of a job',
    advice: 'use quarterjack jobs create ID --file FILE',
    is: (file) => some(file, isDefinition),
  },
];
