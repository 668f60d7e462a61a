import { zoneInText } from './time-zone';
import type { CronSpec, IntervalSpec } from './spec';

/**
 * A schedule that a user wrote as one text: `every 5m`, `1h30m`, `30 9 * * MON-FRI`, `@daily`. A duration
 * alone is an interval. Cron expressions are in UTC. Undefined for any other text, such as an expression of
 * AWS. Recognises the form only: an expression with too few fields, or with a zone, is recognised too.
 */
export function specInWords(text: string): CronSpec | IntervalSpec | undefined {
  const [, every] = /^@?every +(\S+)$/.exec(text) ?? [];
  if (every !== undefined) return { type: 'interval', every };
  if (DURATION.test(text)) return { type: 'interval', every: text };
  if (/^@[a-z]+$/i.test(text)) return { type: 'cron', expression: text };
  const fields = text.trim().split(/\s+/);
  const isAws = /^(rate|cron|at)\(/.test(text);
  const isCron =
    (fields.length >= MIN_CRON_FIELDS && fields.length <= MAX_CRON_FIELDS) ||
    fields.every((field) => CRON_FIELD.test(field)) ||
    zoneInText(text) !== undefined;
  return !isAws && isCron ? { type: 'cron', expression: text } : undefined;
}

/** Such as `1h30m`. */
const DURATION = /^(?:\d{1,12}[dhms])+$/;
const MIN_CRON_FIELDS = 5;
const MAX_CRON_FIELDS = 7;
/** Of digits, signs and names of days and months, so that an expression of any length is one. */
const CRON_FIELD = /^(?:[A-Z]{3}(?=$|[-,#/L])|[\d*?,/#LW-])+$/i;
