import fc from 'fast-check';

import type { Job } from '../../../../client';
import { exportToAws } from '../../../../cli/export/eventbridge/translate';
import { importFromAws } from '../../../../cli/import/eventbridge/translate';
import { type ApiDescription, withDefaults } from '../../../../cli/schedules-as-code/definition';
import { openApiDocument } from '../../../../lambdas/core/http/openapi/document';
import { IS_DEEP } from '../../../support/deep';

const NOW_MS = Date.parse('2026-12-01T08:30:00Z');
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const ROLE = 'arn:aws:iam::111122223333:role/scheduler';
const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:target-a';

const value = (min: number, max: number) => fc.integer({ min, max }).map(String);
const list = (min: number, max: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 })
    .map((values) => values.sort((a, b) => a - b).join());
const range = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
const field = (min: number, max: number) =>
  fc.oneof(
    fc.constant('*'),
    value(min, max),
    list(min, max),
    range(min, max),
    fc.tuple(value(min, max), value(2, 9)).map((parts) => parts.join('/')),
  );
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const days = fc.oneof(
  field(1, 31).map((day) => [day, '?']),
  fc.constantFrom('L', '15W').map((day) => [day, '?']),
  fc.subarray(DAYS, { minLength: 1 }).map((names) => ['?', names.join()]),
  fc.tuple(value(1, 7), value(1, 5)).map((nth) => ['?', nth.join('#')]),
  value(1, 7).map((day) => ['?', `${day}L`]),
);
const year = fc.constantFrom('*', '2027', '2027-2030', '2027,2029');
const cron = fc
  .tuple(field(0, 59), field(0, 23), days, field(1, 12), year)
  .map(
    ([minute, hour, [day, weekday], month, last]) =>
      `cron(${[minute, hour, day, month, weekday, last].join(' ')})`,
  );
const rate = fc
  .tuple(fc.integer({ min: 1, max: 300 }), fc.constantFrom('minute', 'hour', 'day'))
  .map(([count, unit]) => `rate(${count} ${unit}${count === 1 ? '' : 's'})`);
const later = fc.integer({ min: 1, max: 900 }).map((minutes) => new Date(NOW_MS + minutes * 7 * MINUTE_MS));
const recurring = fc.record(
  {
    ScheduleExpression: fc.oneof(cron, rate),
    StartDate: later,
    EndDate: later.map((date) => new Date(date.getTime() + 30 * DAY_MS)),
    FlexibleTimeWindow: fc.oneof(
      fc.constant({ Mode: 'OFF' as const }),
      fc.record({
        Mode: fc.constant('FLEXIBLE' as const),
        MaximumWindowInMinutes: fc.integer({ min: 1, max: 1_440 }),
      }),
    ),
  },
  { requiredKeys: ['ScheduleExpression', 'FlexibleTimeWindow'] },
);
const once = later.map((date) => ({
  ScheduleExpression: `at(${date.toISOString().slice(0, 19)})`,
  FlexibleTimeWindow: { Mode: 'OFF' as const },
}));
const called = fc.constantFrom(
  { Arn: ARN },
  { Arn: 'arn:aws:sqs:us-east-1:111122223333:work' },
  { Arn: 'arn:aws-cn:sqs:cn-north-1:111122223333:work' },
  { Arn: 'arn:aws-us-gov:sqs:us-gov-west-1:111122223333:work' },
  {
    Arn: 'arn:aws:events:us-east-1:444455556666:event-bus/shop',
    EventBridgeParameters: { DetailType: 'Tick', Source: 'me' },
  },
  { Arn: 'arn:aws:sns:us-east-1:111122223333:news' },
  { Arn: 'arn:aws:states:us-east-1:111122223333:stateMachine:bill' },
);
const schedule = fc
  .record({
    times: fc.oneof({ arbitrary: recurring, weight: 4 }, { arbitrary: once, weight: 1 }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
    group: fc.constantFrom('default', 'billing', 'a.b'),
    name: fc.constantFrom('report', 'billing.report'),
    description: fc.option(fc.constantFrom('Daily report', 'ä'), { nil: undefined }),
    state: fc.constantFrom('ENABLED' as const, 'DISABLED' as const),
    target: called,
    input: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
    retries: fc.integer({ min: 0, max: 99 }),
    age: fc.integer({ min: 60, max: 86_400 }),
    createdAt: fc.integer({ min: 1, max: 10_000_000 }).map((sec) => new Date(NOW_MS - sec * 1_000)),
  })
  .map(({ times, zone, group, name, description, state, target, input, retries, age, createdAt }) => ({
    Arn: `arn:aws:scheduler:eu-central-1:111122223333:schedule/${group}/${name}`,
    Name: name,
    GroupName: group,
    ...(description === undefined ? {} : { Description: description }),
    ...times,
    // an interval is of no zone
    ScheduleExpressionTimezone: times.ScheduleExpression.startsWith('rate') ? 'UTC' : zone,
    State: state,
    CreationDate: createdAt,
    Target: {
      ...target,
      RoleArn: ROLE,
      ...(input === undefined ? {} : { Input: JSON.stringify(input) }),
      RetryPolicy: { MaximumRetryAttempts: retries, MaximumEventAgeInSeconds: age },
    },
  }));

const API = openApiDocument() as unknown as ApiDescription;
type Given = typeof schedule extends fc.Arbitrary<infer One> ? One : never;

/** What `create-schedule` has to get for the same schedule. A rate goes on in the phase of its creation. */
function wanted({ Arn: _, CreationDate, ...given }: Given): object {
  const { StartDate, EndDate } = given as { StartDate?: Date; EndDate?: Date };
  const [, count, unit] = /^rate\((\d+) (\w+?)s?\)$/.exec(given.ScheduleExpression) ?? [];
  const everyMs =
    Number(count) * { minute: 1, hour: 60, day: 1_440 }[unit as 'minute' | 'hour' | 'day'] * MINUTE_MS;
  const passed = Math.ceil((NOW_MS - CreationDate.getTime()) / everyMs);
  const first =
    StartDate ?? (count === undefined ? undefined : new Date(CreationDate.getTime() + passed * everyMs));
  return {
    ...given,
    ...(first && { StartDate: first.toISOString() }),
    ...(EndDate && { EndDate: EndDate.toISOString() }),
  };
}

/** A job as the API shows it. */
const stored = ({ jobId, definition, paused }: ReturnType<typeof importFromAws>['jobs'][number]): Job =>
  ({
    jobId,
    ...withDefaults(definition, API),
    status: paused ? 'paused' : 'active',
    scheduleChangedAt: new Date(NOW_MS).toISOString(),
  }) as unknown as Job;

test('a schedule of AWS that is imported is exported as it was', () => {
  fc.assert(
    fc.property(schedule, (given) => {
      const imported = importFromAws([given], NOW_MS);
      expect(imported.refused).toEqual([]);
      const options = { roleArn: ROLE, group: given.GroupName, nowMs: NOW_MS, api: API };
      const { Schedules, refused } = exportToAws(imported.jobs.map(stored), options);
      expect([Schedules, refused]).toEqual([[wanted(given)], []]);
    }),
    { numRuns: IS_DEEP ? 10_000 : 500, seed: 20_261_128 },
  );
});
