import { systemClock } from '../../../../local/machine/clock';
import { parseScheduleExpression } from '../../../../local/sources/schedule-expression';
import { startSchedules } from '../../../../local/sources/schedules';

const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
const SCHEDULE = {
  logicalId: 'S',
  name: 's',
  arn: 'arn:s',
  groupArn: 'arn:g',
  roleArn: 'arn:r',
  timezone: 'UTC',
  functionArn: 'f',
  enabled: true,
  definition: {},
};

describe('expressions', () => {
  test.each([
    ['rate(1 minute)', '10:00:30', '10:01:30'],
    ['rate(5 minutes)', '10:05:29.999', '10:05:30'],
    ['rate(1 hour)', '10:00:30', '11:00:30'],
    ['cron(* * * * ? *)', '10:00:30', '10:01:00'],
    ['cron(0/15 * * * ? *)', '10:15:00', '10:30:00'],
    ['cron(5,35 9 ? * * *)', '08:00:00', '09:05:00'],
  ])('%s after %s fires at %s', (expression, after, expected) => {
    const next = parseScheduleExpression(expression, 'UTC')(at(after), at('10:00:30'));
    expect(new Date(next ?? 0).toISOString()).toBe(new Date(at(expected)).toISOString());
  });

  test('a rate fires when its schedule is created', () => {
    expect(parseScheduleExpression('rate(1 minute)', 'UTC')(at('10:00:00') - 1, at('10:00:00'))).toBe(
      at('10:00:00'),
    );
  });

  test.each([
    'rate(1 minutes)',
    'rate(2 minute)',
    'rate(0 minutes)',
    'rate(1 week)',
    'cron(61 * * * ? *)',
    'cron(0 9 ? * MON *)',
    'at(2026-12-01T09:00:00)',
  ])('%s is an error that names it', (expression) => {
    expect(() => parseScheduleExpression(expression, 'UTC')).toThrow(
      `the local run does not support the schedule ${expression}`,
    );
  });

  test('cron in a time zone other than UTC is an error', () => {
    expect(() => parseScheduleExpression('cron(0 9 * * ? *)', 'Europe/Berlin')).toThrow('Europe/Berlin');
  });
});

describe('firing', () => {
  beforeEach(() => jest.useFakeTimers({ now: at('10:00:30') }));
  afterEach(() => jest.useRealTimers());

  test('a rate fires at once, then at each multiple of its period, until it is stopped', () => {
    const fired: string[] = [];
    const invoke = (_: unknown, event: string) => void fired.push(event);
    const schedules = startSchedules(
      [{ ...SCHEDULE, expression: 'rate(1 minute)', input: '{"at":"<aws.scheduler.scheduled-time>"}' }],
      { clock: systemClock, invoke },
    );
    jest.advanceTimersByTime(0);
    expect(fired).toEqual(['{"at":"2026-11-21T10:00:30Z"}']);
    jest.advanceTimersByTime(59_999);
    expect(fired).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(fired[1]).toBe('{"at":"2026-11-21T10:01:30Z"}');
    schedules.stop();
    jest.advanceTimersByTime(600_000);
    expect(fired).toHaveLength(2);
  });

  test('times that a jump of the clock has skipped cause a single firing', () => {
    let fired = 0;
    const schedules = startSchedules([{ ...SCHEDULE, expression: 'rate(1 minute)', input: '{}' }], {
      clock: systemClock,
      invoke: () => void fired++,
    });
    jest.advanceTimersByTime(0);
    jest.setSystemTime(at('10:10:45'));
    jest.advanceTimersByTime(10_000);
    expect(fired).toBe(2);
    schedules.stop();
  });
});
