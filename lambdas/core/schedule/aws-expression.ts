import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock/clock';
import type { CronExpression } from './cron-expression';
import { parseAwsCronExpression } from './cron-expression';
import { ParseError, quoted } from './schedule-error';

/** A schedule in the language of EventBridge Scheduler. It names no zone: UTC applies. */
export type AwsSchedule =
  | { kind: 'rate'; everyMs: number }
  | { kind: 'cron'; text: string; cron: CronExpression }
  | { kind: 'at'; local: string };

const UNIT_MS: Record<string, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** `rate(5 minutes)`, `cron(0 9 ? * MON-FRI *)`, `at(2026-12-01T09:00:00)`. Throws `ParseError`. */
export function parseAwsExpression(text: string): AwsSchedule {
  const [, kind, inner] = /^(rate|cron|at)\((.*)\)$/s.exec(text) ?? [];
  if (kind === 'rate') return { kind, everyMs: parseRate(inner!) };
  if (kind === 'cron') return { kind, text: inner!, cron: parseAwsCronExpression(inner!) };
  if (kind === 'at') return { kind, local: parseAt(inner!) };
  throw new ParseError(
    `${quoted(text)} is none of "30 9 * * MON-FRI", "every 5m", "rate(5 minutes)", "cron(0 9 ? * MON-FRI *)", "at(2026-12-01T09:00:00)"`,
  );
}

function parseRate(text: string): number {
  const [, value, unit] = /^(\d{1,12}) (minute|hour|day)s?$/.exec(text) ?? [];
  if (unit && Number(value) > 0) return Number(value) * UNIT_MS[unit]!;
  throw new ParseError(
    `rate(${text.slice(0, 40)}): a positive whole number, one blank, and minutes, hours or days are allowed`,
  );
}

function parseAt(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return text;
  throw new ParseError(
    `at(${text.slice(0, 40)}): allowed is yyyy-mm-ddThh:mm:ss, in UTC and without an offset`,
  );
}
