import type { Schedule } from '../types';

type ScheduleObject = Exclude<Schedule, string>;
type OfType<Type extends ScheduleObject['type']> = Extract<ScheduleObject, { type: Type }>;
type OptionsOf<Type extends ScheduleObject['type'], Given extends string> = Omit<
  OfType<Type>,
  'type' | Given
>;

/** A cron expression, in UTC without a time zone: `cron('30 2 * * *', { timezone: 'Europe/Berlin' })`. */
export const cron = (expression: string, options: OptionsOf<'cron', 'expression'> = {}): OfType<'cron'> => ({
  type: 'cron',
  expression,
  ...options,
});

/** A fixed distance: `every('15m')`. */
export const every = (
  interval: string,
  options: OptionsOf<'interval', 'every'> = {},
): OfType<'interval'> => ({
  type: 'interval',
  every: interval,
  ...options,
});

/** One time: `at('2027-01-01T09:00:00', { timezone: 'Europe/Berlin' })`, or a `Date`. */
export const at = (time: string | Date, options: OptionsOf<'at', 'at'> = {}): OfType<'at'> => ({
  type: 'at',
  at: typeof time === 'string' ? time : time.toISOString(),
  ...options,
});

/** Each event of this name: `event('order.paid', { where: { country: 'DE' } })`. Its data are the payload. */
export const event = (name: string, options: OptionsOf<'event', 'name'> = {}): OfType<'event'> => ({
  type: 'event',
  name,
  ...options,
});

/** Ends of other jobs: `after(nightly)` for its successes, `after([a, b], { on: 'done' })` for each end. */
export const after = (
  jobs: { readonly id: string } | readonly { readonly id: string }[],
  options: OptionsOf<'after', 'jobs'> = {},
): OfType<'after'> => ({ type: 'after', jobs: [jobs].flat().map(({ id }) => id), ...options });
