import { stringify } from 'yaml';

import { CliError } from '../exit-codes';
import { isObject } from '../is-object';
import { jsonText } from './printable';

/** How a result is printed: for people as a table, for programs as the rest. */
export const FORMATS = ['json', 'yaml', 'table', 'name'] as const;
export type Format = (typeof FORMATS)[number];

/** Throws a `CliError` if the two flags do not agree. */
export function formatOf({ json, print }: { json?: boolean; print?: Format }): Format {
  if (json && print !== undefined && print !== 'json')
    throw new CliError(`--json and -o ${print} ask for two formats: give one`);
  return print ?? (json ? 'json' : 'table');
}

/** Whether a command line asks for JSON, also one that cannot be parsed. */
export const asksForJson = (args: readonly string[]): boolean =>
  args.some(
    (arg, index) =>
      arg === '--json' ||
      /^(?:-o|--print=)json$/.test(arg) ||
      (/^(?:-o|--print)$/.test(arg) && args[index + 1] === 'json'),
  );

export function textIn(format: Exclude<Format, 'table'>, value: unknown): string {
  if (format === 'json') return jsonText(value);
  if (format === 'yaml') return stringify(value ?? null);
  return namesOf(value)
    .map((name) => `${name}\n`)
    .join('');
}

/** What names a resource, the most special first: an execution has the id of its job too. */
const IDS = ['taskId', 'execId', 'keyId', 'calendarId', 'jobId', 'queue', 'key', 'id', 'name'];

/** An execution has two names, as the commands take them: `report 20261201T090000.000Z`. */
function namesOf(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.map((one) => {
    const fields = isObject(one) ? one : {};
    const id = IDS.find((field) => typeof fields[field] === 'string');
    if (id === undefined) throw new CliError('the result has no names: use -o json or -o yaml');
    const name = fields[id] as string;
    return id === 'execId' && typeof fields.jobId === 'string' ? `${fields.jobId} ${name}` : name;
  });
}
