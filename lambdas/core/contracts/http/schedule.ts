import * as z from 'zod';
import { $constructor } from 'zod/v4/core';

/** Lengths only: what a text means is for the schedule engine to say. */
const text = (max: number) =>
  z.string().min(1, 'must not be empty').max(max, `must have at most ${max} characters`);

const instant = text(64).describe('RFC 3339, or local time in `timezone`');
const duration = text(32).meta({ examples: ['30s', '36h', 'PT30S'] });
const timezone = text(64).describe('IANA time zone name');

const dst = z.strictObject({
  gap: z.enum(['shift', 'skip']).optional(),
  overlap: z.enum(['first', 'second', 'both']).optional(),
});

const recurring = {
  timezone: timezone.optional(),
  startAt: instant.optional(),
  endAt: instant.optional(),
  maxRuns: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100_000, 'must be at most 100000')
    .optional(),
  jitter: duration.optional(),
  exclude: z
    .array(text(256).describe('a date, a range of dates `a/b`, or a cron expression'))
    .max(100, 'must have at most 100 entries')
    .optional(),
  dst: dst.optional(),
};

const byType = z.discriminatedUnion(
  'type',
  [
    z
      .strictObject({
        type: z.literal('cron'),
        expression: text(256).meta({ examples: ['30 9 * * MON-FRI'] }),
        ...recurring,
      })
      .meta({ id: 'CronSchedule' }),
    z
      .strictObject({
        type: z.literal('interval'),
        every: duration,
        anchor: instant.optional(),
        ...recurring,
      })
      .meta({ id: 'IntervalSchedule' }),
    z
      .strictObject({ type: z.literal('at'), at: instant, timezone: timezone.optional() })
      .meta({ id: 'AtSchedule' }),
    z.strictObject({ type: z.literal('delay'), delay: duration }).meta({ id: 'DelaySchedule' }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'must be "cron", "interval", "at" or "delay"'
        : 'must be an object with a type, or a string such as "rate(5 minutes)"',
  },
);

const awsExpression = text(256).describe('rate(…), cron(…) or at(…), as EventBridge Scheduler spells them');

/**
 * A union would answer a wrong field with "no branch fits". A string can only be AWS's language, all else goes by its
 * type: so the errors are those of the one branch that was meant.
 */
const StringOrByType = $constructor(
  'StringOrByType',
  (
    inst: z.ZodUnion<readonly [typeof awsExpression, typeof byType]>,
    def: z.core.$ZodUnionDef<readonly [typeof awsExpression, typeof byType]>,
  ) => {
    z.ZodUnion.init(inst, def);
    const [aws, typed] = def.options;
    inst._zod.parse = (payload, context) =>
      (typeof payload.value === 'string' ? aws : typed)._zod.run(payload, context);
  },
);

/** The `schedule` of a job: its shape. `validateSchedule` judges its meaning. */
export const ScheduleSchema = new StringOrByType({ type: 'union', options: [awsExpression, byType] }).meta({
  id: 'Schedule',
});
export type ScheduleBody = z.output<typeof ScheduleSchema>;
