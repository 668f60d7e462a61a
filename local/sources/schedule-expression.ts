import { DAY_MS, HOUR_MS, MINUTE_MS } from '../machine/clock';
import { LocalRunError } from '../run/errors';

/** Gives the first instant after `afterMs` at which a schedule fires; `startMs` is when it was made. */
export type NextFire = (afterMs: number, startMs: number) => number | undefined;

const UNIT_MS: Record<string, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/**
 * Reads `rate(n minutes|hours|days)`, and `cron(...)` where each of minute, hour and the rest is `*`, `a/n`, a number
 * or a list of numbers, day and month being open. Throws a `LocalRunError` for anything else, and for cron outside UTC.
 */
export function parseScheduleExpression(expression: string, timezone: string): NextFire {
  const rate = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression);
  if (rate) {
    const count = Number(rate[1]);
    const periodMs = count * (UNIT_MS[rate[2] as string] as number);
    if (count < 1 || (count === 1) !== (rate[3] === '')) throw unknown(expression);
    return (afterMs, startMs) =>
      afterMs < startMs ? startMs : startMs + (Math.floor((afterMs - startMs) / periodMs) + 1) * periodMs;
  }

  const cron = /^cron\((\S+) (\S+) ([*?]) (\*) ([*?]) (\*)\)$/.exec(expression);
  if (!cron) throw unknown(expression);
  if (timezone !== 'UTC')
    throw new LocalRunError(`the local run knows cron(...) in UTC only, not in ${timezone}`);
  const minutes = cronField(cron[1] as string, 60) ?? refuse(expression);
  const hours = cronField(cron[2] as string, 24) ?? refuse(expression);
  return (afterMs) => {
    let atMs = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS;
    for (let left = (2 * DAY_MS) / MINUTE_MS; left > 0; left--, atMs += MINUTE_MS) {
      const at = new Date(atMs);
      if (minutes.has(at.getUTCMinutes()) && hours.has(at.getUTCHours())) return atMs;
    }
    return undefined;
  };
}

/** Values that a cron field stands for; undefined where it is not understood. */
function cronField(field: string, end: number): Set<number> | undefined {
  const step = /^(\*|\d+)\/(\d+)$/.exec(field);
  const values: number[] = [];
  if (field === '*') for (let value = 0; value < end; value++) values.push(value);
  else if (step && Number(step[2]) > 0)
    for (let value = Number(step[1]) || 0; value < end; value += Number(step[2])) values.push(value);
  else if (/^\d+(,\d+)*$/.test(field)) values.push(...field.split(',').map(Number));
  return values.length > 0 && values.every((value) => value < end) ? new Set(values) : undefined;
}

const unknown = (expression: string): LocalRunError =>
  new LocalRunError(`the local run does not know the schedule ${expression}`);

function refuse(expression: string): never {
  throw unknown(expression);
}
