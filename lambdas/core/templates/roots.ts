import { shown } from './template-error';
import { suggestionFor } from '../contracts/suggestion';
import type { Step } from './syntax';

/** What is known of a root before anything runs. A later root adds a check of its own. */
export interface Root {
  /** Why a path below this root can have no value; undefined if it may have one. */
  faultOf(steps: readonly Step[]): string | undefined;
}

/** The roots of the paths in one place, by their names. */
export type Roots = ReadonlyMap<string, Root>;

/** A root with these fields, whose values are texts. */
export const rootWithFields = (name: string, fields: readonly string[]): Root => ({
  faultOf([field, ...below]) {
    if (field === undefined) return undefined;
    if (typeof field !== 'string' || !fields.includes(field))
      return `${name} has no field ${shown(field)}${suggestionFor(String(field), fields)}`;
    return below.length === 0 ? undefined : `${name}.${field} is a text and has no fields`;
  },
});

/** The fields of `run`. */
export const RUN_FIELDS = [
  'id',
  'deliveryId',
  'dueAt',
  'previousDueAt',
  'day',
  'startedAt',
  'trigger',
  'jobId',
] as const;

export const RUN: Root = rootWithFields('run', RUN_FIELDS);
