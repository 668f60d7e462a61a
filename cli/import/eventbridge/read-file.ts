import { CliError } from '../../exit-codes';
import { foreignFile } from '../../foreign-file';
import { isObject } from '../../is-object';
import type { AwsSchedule } from './translate';

const DATES = ['StartDate', 'EndDate', 'CreationDate', 'LastModificationDate'];

/**
 * The schedules of a file: one, a list, or `Schedules`. Each is as `get-schedule` prints it and
 * `create-schedule` takes it. Throws a `CliError`.
 */
export function schedulesIn(text: string, path: string): AwsSchedule[] {
  const value = jsonIn(text, path);
  const all =
    isObject(value) && Array.isArray(value.Schedules) ? (value.Schedules as unknown[]) : [value].flat();
  return all.map((one, index) => {
    if (!isObject(one) || typeof one.Name !== 'string')
      throw new CliError(
        foreignFile(text, path, 'eventbridge') ??
          `${path}: expected schedules as aws scheduler get-schedule prints them`,
      );
    if (typeof one.ScheduleExpression !== 'string')
      throw new CliError(
        `${path}: Schedules.${index}: it has no ScheduleExpression: list-schedules leaves it out, get-schedule prints it`,
      );
    if (!isObject(one.Target))
      throw new CliError(`${path}: Schedules.${index}: it has no Target: is it a rule, and no schedule?`);
    return withDates(one) as unknown as AwsSchedule;
  });
}

function jsonIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (cause) {
    throw new CliError(
      foreignFile(text, path, 'eventbridge') ?? `${path}: it is not JSON: ${(cause as Error).message}`,
      undefined,
      { cause },
    );
  }
}

/** Dates are texts, or seconds since 1970. What is no date stays, and is refused by its name. */
const withDates = (one: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(one).map(([key, value]) => [key, DATES.includes(key) ? (dateOf(value) ?? value) : value]),
  );

function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(typeof value === 'number' ? value * 1_000 : value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
