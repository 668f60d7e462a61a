import type { Schedule } from '../../client/browser';
import { describe } from '../../lambdas/core/schedule/describe';
import type { ScheduleSpec } from '../../lambdas/core/schedule/spec';
import { shortForm } from './short-form';

/**
 * The arithmetic of the schedules, as the functions have it. It is loaded when a page needs it. What it does
 * not know is shown as it is written.
 */
export function describeSchedule(schedule: Schedule): string {
  try {
    return describe(schedule as ScheduleSpec);
  } catch {
    return shortForm(schedule); // a kind of schedule that only the API knows
  }
}
