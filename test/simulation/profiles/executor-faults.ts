import { profileOf, withActions } from './draws';

/** Executors die and freeze in the first steps of their work, while jobs change. */
export const executorFaults = profileOf(({ plan, window, freezes, kills, actions }) => ({
  faults: [
    ...freezes(30, 'executor', 14),
    ...kills(40, 'executor', 14),
    window('queue-duplicated', 0.5),
    window('queue-delayed', 0.3),
    window('target-slow', 0.3),
    window('target-fails', 0.3),
  ],
  actions: withActions(
    plan,
    actions(['retry', 'run', 'cancel', 'pause', 'resume', 'resume', 'patch', 'patch', 'delete'], 60),
  ),
}));
