import * as z from 'zod/mini';
import { $constructor } from 'zod/v4/core';

import { AfterSchedule, EventSchedule } from './external-schedule';
import { CalendarId, described, textUpTo } from './fields';

// Only lengths are checked here. The schedule engine parses the texts.
const instant = described(textUpTo(64), { description: 'RFC 3339, or a local time in `timezone`.' });
const duration = described(textUpTo(32), { examples: ['30s', '1h30m', 'PT30S'] });
const timezone = described(textUpTo(64), { description: 'Name of an IANA time zone.' });
const exclusionText = described(textUpTo(256), {
  description: 'A date, a range of dates `a/b`, or a cron expression.',
});
const calendarRef = described(z.strictObject({ calendar: CalendarId }), {
  id: 'CalendarRef',
  description: 'A calendar of the project. A schedule names at most 10.',
});
const exclusion = z.union([exclusionText, calendarRef]);

const dst = z.strictObject({
  gap: z.optional(z.enum(['shift', 'skip'])),
  overlap: z.optional(z.enum(['first', 'second', 'both'])),
});

const recurring = {
  timezone: z.optional(timezone),
  startAt: z.optional(instant),
  endAt: z.optional(instant),
  maxRuns: z.optional(
    z
      .int('must be a whole number')
      .check(z.gte(1, 'must be at least 1'), z.lte(100_000, 'must be at most 100000')),
  ),
  jitter: z.optional(duration),
  exclude: z.optional(z.array(exclusion).check(z.maxLength(100, 'must have at most 100 entries'))),
  only: z.optional(z.array(calendarRef).check(z.maxLength(10, 'must have at most 10 entries'))),
  onExcluded: z.optional(
    described(z.enum(['skip', 'next-day', 'previous-day']), {
      description:
        'What becomes of an excluded occurrence. `next-day` and `previous-day` move it to the same local time of the nearest day that is not excluded, within 31 days. They need a cron expression of at most 24 fixed times a day. Default: `skip`.',
    }),
  ),
  dst: z.optional(dst),
};

const byType = z.discriminatedUnion(
  'type',
  [
    described(
      z.strictObject({
        type: z.literal('cron'),
        expression: described(textUpTo(256), { examples: ['30 9 * * MON-FRI'] }),
        ...recurring,
      }),
      { id: 'CronSchedule' },
    ),
    described(
      z.strictObject({
        type: z.literal('interval'),
        every: duration,
        anchor: z.optional(instant),
        ...recurring,
      }),
      { id: 'IntervalSchedule' },
    ),
    described(z.strictObject({ type: z.literal('at'), at: instant, timezone: z.optional(timezone) }), {
      id: 'AtSchedule',
    }),
    described(z.strictObject({ type: z.literal('delay'), delay: duration }), { id: 'DelaySchedule' }),
    described(z.strictObject({ type: z.literal('none') }), {
      id: 'NoSchedule',
      description: 'No due times: something else starts its executions.',
    }),
    AfterSchedule,
    EventSchedule,
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'must be "cron", "interval", "at", "delay", "none", "after" or "event"'
        : 'must be an object with a type, or a string such as "rate(5 minutes)"',
  },
);

const scheduleText = described(textUpTo(256), {
  description:
    'A cron expression in UTC, `every 5m`, or `rate(…)`, `cron(…)` or `at(…)` in the syntax of EventBridge Scheduler.',
});

/**
 * Picks the branch of the union before parsing: a string is one text, anything else goes by its
 * `type`. Errors are then those of one branch. A plain union would only report that no branch fits.
 */
const StringOrByType = $constructor(
  'StringOrByType',
  (
    inst: z.ZodMiniUnion<readonly [typeof scheduleText, typeof byType]>,
    def: z.core.$ZodUnionDef<readonly [typeof scheduleText, typeof byType]>,
  ) => {
    z.ZodMiniUnion.init(inst, def);
    const [text, typed] = def.options;
    inst._zod.parse = (payload, context) =>
      (typeof payload.value === 'string' ? text : typed)._zod.run(payload, context);
  },
);

/** The shape of a job's `schedule`. `validateSchedule` checks its meaning. */
export const ScheduleSchema = described(
  new StringOrByType({ type: 'union', options: [scheduleText, byType] }),
  { id: 'Schedule' },
);
