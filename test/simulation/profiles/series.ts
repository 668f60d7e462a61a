import { profileOf, withActions } from './draws';

/**
 * The API dies or stalls half-way through changes of schedules: each series of entries has to go on. Without
 * an auditor, which would repair a series that has ended.
 */
export const series = profileOf(({ plan, window, freezes, kills, actions }) => ({
  withoutAuditor: true,
  faults: [
    ...kills(50, 'api', 16),
    ...freezes(10, 'api', 16),
    window('queue-refused', 0.2, { stage: 'api' }),
  ],
  actions: withActions(plan, actions(['pause', 'resume', 'resume', 'resume', 'patch', 'patch'], 80)),
}));
