import { isDeepStrictEqual } from 'node:util';

import { type Definition, DEFINITION_FIELDS } from './definition';
import { isObject } from '../is-object';

/** A field that differs. A side that does not have it is undefined. */
export interface FieldChange {
  /** Dotted: `schedule.expression`. */
  path: string;
  from: unknown;
  to: unknown;
}

/**
 * The fields in which two definitions differ, those of a job by default. Compares objects field by field, and
 * lists as a whole.
 */
export const diff = (
  from: Definition,
  to: Definition,
  fields: readonly string[] = DEFINITION_FIELDS,
): FieldChange[] => fields.flatMap((field) => changesAt(field, from[field], to[field]));

function changesAt(path: string, from: unknown, to: unknown): FieldChange[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (!isObject(from) || !isObject(to)) return [{ path, from, to }];
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...keys].flatMap((key) => changesAt(`${path}.${key}`, from[key], to[key]));
}
