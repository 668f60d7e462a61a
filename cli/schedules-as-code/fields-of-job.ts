import { CliError } from '../exit-codes';
import { isObject } from '../is-object';
import { scheduleOf } from '../schedule-text';
import type { Definition } from './definition';

/** Objects of which a job and the file's defaults can each give some fields. */
const MERGED = ['tags', 'retry', 'misfire'];

/** A schedule in words, as the command line takes it. */
export function scheduleIn(text: string, fault: (message: string) => void): unknown {
  try {
    return scheduleOf(text);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    fault(error.message);
    return text;
  }
}

/** Without the fields that are reported as unknown, so that the API does not report them again. */
export const onlyKnown = (given: Definition, known: readonly string[]): Definition =>
  Object.fromEntries(Object.entries(given).filter(([key]) => known.includes(key)));

export function withFileDefaults(job: Definition, defaults: Definition): Definition {
  const both = { ...defaults, ...job };
  for (const field of MERGED) {
    if (isObject(defaults[field]) && isObject(job[field]))
      both[field] = { ...defaults[field], ...job[field] };
  }
  return both;
}
