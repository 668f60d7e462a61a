import { CliError } from './exit-codes';

const DURATION = /^(?:\d+[smhd]|P\S+)$/;
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * Parses a schedule that was typed on a command line:
 *
 *     30 9 * * MON-FRI        cron, five to seven fields; @hourly, @daily …
 *     every 30s               interval
 *     in 10m                  once, this long from now
 *     2026-12-01T09:00:00Z    once, at this time; without an offset, in `timezone`
 *     rate(5 minutes)         as in EventBridge Scheduler; also cron(…) and at(…)
 *     {"type":"cron", …}      as in the API
 *
 * Recognises the form only: the API checks the rest. Throws a `CliError` if the text has none of these forms.
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
    throw new CliError(`${text} is always in UTC; to set a time zone, use a plain cron expression`);
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
    `${JSON.stringify(typed)} is not a schedule: expected a cron expression, "every 30s", "in 10m", ` +
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

/** A schedule on one line of text: as it is typed on the command line, or as JSON if it has no such form. */
export function describeSchedule(schedule: unknown): string {
  if (typeof schedule === 'string') return schedule;
  const { type, expression, every, at, delay, timezone } = schedule as Record<string, string | undefined>;
  const zone = timezone ? ` ${timezone}` : '';
  if (type === 'cron') return `${expression}${zone}`;
  if (type === 'interval') return `every ${every}${zone}`;
  if (type === 'at') return `${at}${zone}`;
  return type === 'delay' ? `in ${delay}` : JSON.stringify(schedule);
}
