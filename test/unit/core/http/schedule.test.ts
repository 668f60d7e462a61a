import * as z from 'zod/mini';

import { ScheduleSchema } from '../../../../lambdas/core/http/schedule';
import { apiContract } from '../../../support/api-contract';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const Body = z.strictObject({ schedule: ScheduleSchema });

const errorsOf = (schedule: unknown): string[] =>
  Body.safeParse({ schedule }).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ??
  [];

describe('the schedule of a request', () => {
  it.each<ScheduleSpec>([
    { type: 'cron', expression: '30 9 * * MON-FRI', timezone: 'Europe/Berlin' },
    {
      type: 'interval',
      every: '30s',
      anchor: '2026-12-01T00:00:00Z',
      startAt: '2026-12-01T00:00:00Z',
      endAt: '2027-12-01T00:00:00Z',
      maxRuns: 5,
      jitter: '5m',
      exclude: ['2026-12-25'],
      dst: { gap: 'shift', overlap: 'both' },
    },
    { type: 'at', at: '2026-12-01T09:00:00', timezone: 'UTC' },
    { type: 'delay', delay: '10m' },
    { type: 'none' },
    'rate(5 minutes)',
    'every 5m',
    '30 9 * * MON-FRI',
    { type: 'after', jobs: ['ingest'], on: 'done' },
    { type: 'event', name: 'order.paid', where: { region: 'eu', paid: true }, debounce: '1m30s' },
  ])('is accepted unchanged: %j', (schedule) => {
    const parsed: ScheduleSpec = Body.parse({ schedule }).schedule;
    expect(parsed).toEqual(schedule);
  });

  it.each<[unknown, string[]]>([
    [undefined, ['schedule: must be an object with a type, or a string such as "rate(5 minutes)"']],
    [5, ['schedule: must be an object with a type, or a string such as "rate(5 minutes)"']],
    ['', ['schedule: must not be empty']],
    [
      { type: 'weekly' },
      ['schedule.type: must be "cron", "interval", "at", "delay", "none", "after" or "event"'],
    ],
    [{ type: 'cron' }, ['schedule.expression: is required']],
    [
      { type: 'cron', expression: '*'.repeat(257) },
      ['schedule.expression: must have at most 256 characters'],
    ],
    [
      { type: 'at', at: '2026-12-01T09:00:00Z', jitter: '5m' },
      ['schedule: has fields that are not known: jitter'],
    ],
    [{ type: 'interval', every: '5s', maxRuns: 0 }, ['schedule.maxRuns: must be at least 1']],
    [
      { type: 'interval', every: '5s', exclude: ['2026-12-25', ''] },
      ['schedule.exclude.1: must not be empty'],
    ],
    [
      { type: 'cron', expression: '@daily', dst: { gap: 'jump' } },
      ['schedule.dst.gap: must be one of shift, skip'],
    ],
  ])('is rejected with the path of the wrong field: %j', (schedule, expected) => {
    expect(errorsOf(schedule)).toEqual(expected);
  });

  it('keeps the paths of errors if it is described or made optional', () => {
    const described = z.strictObject({ schedule: z.optional(ScheduleSchema.check(z.describe('when'))) });
    expect(described.safeParse({ schedule: { type: 'delay' } }).error?.issues[0]?.path).toEqual([
      'schedule',
      'delay',
    ]);
    expect(described.parse({})).toEqual({});
  });

  it('has a JSON schema: a string, or one object for each type', () => {
    const { Schedule, ...schemas } = apiContract().document.components.schemas;
    const types = [
      'CronSchedule',
      'IntervalSchedule',
      'AtSchedule',
      'DelaySchedule',
      'NoSchedule',
      'AfterSchedule',
      'EventSchedule',
    ];
    expect(Schedule).toMatchObject({
      anyOf: [{ type: 'string' }, { oneOf: types.map((name) => ({ $ref: `#/components/schemas/${name}` })) }],
    });
    expect(schemas).toMatchObject({ DelaySchedule: { properties: { type: { const: 'delay' } } } });
  });
});
