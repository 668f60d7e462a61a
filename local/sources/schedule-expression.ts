import { DAY_MS, HOUR_MS, MINUTE_MS } from '../machine/clock';
import { LocalRunError } from '../run/errors';

/**
 * The first time after `afterMs` at which a schedule fires. `startMs` is the time at which it was created.
 */
type NextFire = (afterMs: number, startMs: number) => number | undefined;

const UNIT_MS: Record<string, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/**
 * Parses `rate(n minutes|hours|days)` and a part of `cron(...)`. Minute and hour may be `*`, `a/n`, a number
 * or a list of numbers; the other fields must be `*` or `?`. Throws a `LocalRunError` for anything else, and
 * for cron outside UTC.
 */
export function parseScheduleExpression(expression: string, timezone: string): NextFire {
  const rate = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression);
  if (rate) {
    const count = Number(rate[1]);
    const periodMs = count * (UNIT_MS[rate[2] as string] as number);
    if (count < 1 || (count === 1) !== (rate[3] === '')) throw unsupported(expression);
    return (afterMs, startMs) =>
      afterMs < startMs ? startMs : startMs + (Math.floor((afterMs - startMs) / periodMs) + 1) * periodMs;
  }

  const cron = /^cron\((\S+) (\S+) ([*?]) (\*) ([*?]) (\*)\)$/.exec(expression);
  if (!cron) throw unsupported(expression);
  if (timezone !== 'UTC')
    throw new LocalRunError(`the local run supports cron(...) only in UTC, not in ${timezone}`);
  const minutes = cronField(cron[1] as string, 60);
  const hours = cronField(cron[2] as string, 24);
  if (!minutes || !hours) throw unsupported(expression);
  return (afterMs) => {
    let atMs = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS;
    for (let left = (2 * DAY_MS) / MINUTE_MS; left > 0; left--, atMs += MINUTE_MS) {
      const at = new Date(atMs);
      if (minutes.has(at.getUTCMinutes()) && hours.has(at.getUTCHours())) return atMs;
    }
    return undefined;
  };
}

/** The values of a cron field; undefined if it is not supported. */
function cronField(field: string, end: number): Set<number> | undefined {
  const step = /^(\*|\d+)\/(\d+)$/.exec(field);
  const values: number[] = [];
  if (field === '*') for (let value = 0; value < end; value++) values.push(value);
  else if (step && Number(step[2]) > 0)
    for (let value = Number(step[1]) || 0; value < end; value += Number(step[2])) values.push(value);
  else if (/^\d+(,\d+)*$/.test(field)) values.push(...field.split(',').map(Number));
  return values.length > 0 && values.every((value) => value < end) ? new Set(values) : undefined;
}

const unsupported = (expression: string): LocalRunError =>
  new LocalRunError(`the local run does not support the schedule ${expression}`);
