import * as z from 'zod/mini';
import { $constructor } from 'zod/v4/core';

import { described, textUpTo } from './fields';

// Lengths only: what a text means is for the schedule engine to say.
const instant = described(textUpTo(64), { description: 'RFC 3339, or local time in `timezone`' });
const duration = described(textUpTo(32), { examples: ['30s', '36h', 'PT30S'] });
const timezone = described(textUpTo(64), { description: 'IANA time zone name' });
const exclusion = described(textUpTo(256), {
  description: 'a date, a range of dates `a/b`, or a cron expression',
});

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
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'must be "cron", "interval", "at" or "delay"'
        : 'must be an object with a type, or a string such as "rate(5 minutes)"',
  },
);

const awsExpression = described(textUpTo(256), {
  description: 'rate(…), cron(…) or at(…), as EventBridge Scheduler spells them',
});

/**
 * A union would answer a wrong field with "no branch fits". A string can only be AWS's language, all else goes by its
 * type: so the errors are those of the one branch that was meant.
 */
const StringOrByType = $constructor(
  'StringOrByType',
  (
    inst: z.ZodMiniUnion<readonly [typeof awsExpression, typeof byType]>,
    def: z.core.$ZodUnionDef<readonly [typeof awsExpression, typeof byType]>,
  ) => {
    z.ZodMiniUnion.init(inst, def);
    const [aws, typed] = def.options;
    inst._zod.parse = (payload, context) =>
      (typeof payload.value === 'string' ? aws : typed)._zod.run(payload, context);
  },
);

/** The `schedule` of a job: its shape. `validateSchedule` judges its meaning. */
export const ScheduleSchema = described(
  new StringOrByType({ type: 'union', options: [awsExpression, byType] }),
  { id: 'Schedule' },
);
export type ScheduleBody = z.output<typeof ScheduleSchema>;
