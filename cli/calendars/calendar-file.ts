import type { CalendarDefinition } from '../../client';
import { unknownOf } from '../unknown';
import { CliError } from '../exit-codes';
import { isObject } from '../is-object';

const FIELDS = ['name', 'timezone', 'weekdays', 'dates', 'yearly'];
const LISTS = ['weekdays', 'dates', 'yearly'];

/** What is wrong with a calendar of a file: a field that the API does not know, or of another shape. */
export function calendarProblems(value: unknown): { field: string; message: string }[] {
  if (!isObject(value)) return [{ field: '', message: 'must be an object with the fields of a calendar' }];
  const unknown = Object.keys(value).filter((field) => !FIELDS.includes(field));
  const shapeless = LISTS.filter((field) => value[field] !== undefined && !Array.isArray(value[field]));
  return [
    ...unknown.map((field) => ({ field, message: unknownOf(field, FIELDS) })),
    ...shapeless.map((field) => ({ field, message: 'must be a list' })),
  ];
}

/** A calendar as a file defines it. Throws a `CliError`. */
export function calendarOf(value: unknown, path: string): CalendarDefinition {
  const [problem] = calendarProblems(value);
  if (problem) throw new CliError([path, problem.field, problem.message].filter(Boolean).join(': '));
  return value as CalendarDefinition;
}
