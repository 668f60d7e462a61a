import { isObject } from './is-object';

type Fields = Record<string, unknown>;

export interface EditedSchedule {
  /** The value of `schedule` in a merge patch. */
  patch: unknown;
  /** Fields of the old schedule that the new one does not have, such as its time zone. */
  dropped: string[];
}

/** Fields that say when a schedule fires. A schedule of another type has others in their place. */
const CORE = new Set(['type', 'expression', 'every', 'at', 'delay', 'jobs', 'name']);
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The merge patch that turns the schedule `old` into the one that a user typed.
 *
 * If both have the same type, the typed fields are merged into the old ones, and null removes a field. A
 * schedule without a type has only such fields. A schedule of another type replaces the old one.
 */
export function editedSchedule(typed: unknown, old: unknown): EditedSchedule {
  if (!isObject(old)) return { patch: typed, dropped: [] };
  if (!isObject(typed)) return { patch: typed, dropped: extrasOf(old) };
  if (typed.type === undefined || typed.type === old.type) return { patch: merged(typed), dropped: [] };
  const removed = Object.fromEntries(Object.keys(old).map((key) => [key, null]));
  return { patch: { ...removed, ...typed }, dropped: extrasOf(old).filter((key) => !(key in typed)) };
}

/** An instant with an offset excludes a time zone, so the old one goes. */
const merged = (typed: Fields): Fields =>
  typeof typed.at === 'string' && OFFSET.test(typed.at) ? { timezone: null, ...typed } : typed;

const extrasOf = (schedule: Fields): string[] => Object.keys(schedule).filter((key) => !CORE.has(key));
