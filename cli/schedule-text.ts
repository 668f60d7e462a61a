import { CliError } from './exit-codes';

const DURATION = /^(?:\d+[smhd]|P\S+)$/;
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * A schedule as it is typed on a command line:
 *
 *     30 9 * * MON-FRI        cron, five to seven fields; @hourly, @daily …
 *     every 30s               interval
 *     in 10m                  once, so long after now
 *     2026-12-01T09:00:00Z    once, at an instant; without an offset by the clock of `timezone`
 *     rate(5 minutes)         as in EventBridge Scheduler, cron(…) and at(…) too
 *     {"type":"cron", …}      as in the API
 *
 * What each of them means, and whether it can be, is for the API to say.
 */
export function scheduleOf(
  typed: string,
  { timezone }: { timezone?: string } = {},
): string | Record<string, unknown> {
  const text = typed.trim();
  const zone = timezone === undefined ? {} : { timezone };
  if (text.startsWith('{')) return { ...objectOf(text), ...zone };
  if (/^(rate|cron|at)\(/.test(text)) {
    if (timezone === undefined) return text;
    throw new CliError(`${text} is in UTC: give a time zone with a plain cron expression instead`);
  }
  const [, kind, amount = ''] = /^(every|in) +(\S+)$/.exec(text) ?? [];
  if (kind === 'every' && DURATION.test(amount)) return { type: 'interval', every: amount, ...zone };
  if (kind === 'in' && DURATION.test(amount)) return { type: 'delay', delay: amount };
  const [, offset] = INSTANT.exec(text) ?? [];
  if (INSTANT.test(text)) return { type: 'at', at: text.replace(' ', 'T'), ...(offset ? {} : zone) };
  const fieldCount = text.split(/\s+/).length;
  if (/^@[a-z]+$/.test(text) || (fieldCount >= 5 && fieldCount <= 7))
    return { type: 'cron', expression: text, ...zone };
  throw new CliError(
    `${JSON.stringify(typed)} is no schedule: expected a cron expression, "every 30s", "in 10m", ` +
      '"2026-12-01T09:00:00Z", "rate(5 minutes)", or JSON',
  );
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new CliError(`the schedule is not JSON: ${(cause as Error).message}`, undefined, { cause });
  }
}

/** A schedule on one line, for people. */
export function describeSchedule(schedule: unknown): string {
  if (typeof schedule === 'string') return schedule;
  const { type, expression, every, at, delay, timezone } = schedule as Record<string, string | undefined>;
  const zone = timezone ? ` ${timezone}` : '';
  if (type === 'cron') return `${expression}${zone}`;
  if (type === 'interval') return `every ${every}`;
  if (type === 'at') return `${at}${zone}`;
  return type === 'delay' ? `in ${delay}` : JSON.stringify(schedule);
}
