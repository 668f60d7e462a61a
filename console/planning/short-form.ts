import type { Schedule } from '../../client/browser';

/** The text that defines a schedule, without its options. */
export function shortForm(schedule: Schedule): string {
  if (typeof schedule === 'string') return schedule;
  switch (schedule.type) {
    case 'cron':
      return schedule.expression;
    case 'interval':
      return `every ${schedule.every}`;
    case 'at':
      return `at ${schedule.at}`;
    case 'delay':
      return `after ${schedule.delay}`;
    case 'none':
      return 'started by something else';
    case 'after':
      return `after ${schedule.jobs.join(', ')}`;
    case 'event':
      return `at each event ${schedule.name}`;
    default:
      return JSON.stringify(schedule);
  }
}

/** The zone of a schedule; undefined where it has none. */
export const zoneOf = (schedule: Schedule): string | undefined =>
  typeof schedule === 'object' && 'timezone' in schedule ? schedule.timezone : undefined;
