import { isObject } from '../is-object';

/** A file as the table sees it. */
export interface Seen {
  text: string;
  /** Its documents that are objects, in YAML or JSON. Empty if it is neither. */
  objects: readonly Record<string, unknown>[];
  /** Its only document, if that is a list. */
  list: readonly unknown[];
}

/** What this program reads itself. */
export type Own = 'jobs' | 'crontab' | 'step-functions' | 'kubernetes' | 'eventbridge' | 'calendar';

export interface Row {
  /** Present if a command reads such files. */
  own?: Own;
  what: string;
  advice: string;
  is(file: Seen): boolean;
}

export const some = (file: Seen, test: (value: Record<string, unknown>) => boolean): boolean =>
  file.objects.some(test);
/** An object of objects, one of which passes. */
export const someIn = (value: unknown, test: (inner: Record<string, unknown>) => boolean): boolean =>
  isObject(value) && Object.values(value).some((inner) => isObject(inner) && test(inner));
export const has = (value: Record<string, unknown>, ...names: string[]): boolean =>
  names.every((name) => value[name] !== undefined);
export const startsWith = (value: unknown, prefix: string): boolean =>
  typeof value === 'string' && value.startsWith(prefix);

/** Whether an object passes: a document, or one of the only list. */
export const someOf = (file: Seen, test: (value: Record<string, unknown>) => boolean): boolean =>
  some(file, test) || file.list.some((value) => isObject(value) && test(value));
/** A list of objects, one of which has all of these fields. */
export const isListOf = (value: unknown, names: readonly string[]): boolean =>
  Array.isArray(value) && value.some((one) => isObject(one) && has(one, ...names));

export const NO_IMPORT = 'there is no import for it';
export const AS_JOBS = `${NO_IMPORT}: write its schedules as jobs`;
export const WITH_COMMANDS = `${AS_JOBS}, and let quarterjack work run the commands`;
