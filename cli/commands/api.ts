import { type Command, Option } from 'commander';

import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { addNote, collect } from '../flag-values';
import { isObject } from '../is-object';
import { nestedValuesOf } from '../named-values';
import { readDefinition } from '../read-definition';
import type { Run } from '../run';
import { jsonText } from '../terminal/printable';

interface ApiFlags {
  value?: string[];
  file?: string;
  paginate?: true;
  field?: string;
  key?: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `api GET /v1/jobs`: any route, also one that has no command. */
export function addApiCommand(program: Command, run: Run): void {
  addNote(program.command('api <method> <path>'))
    .description('Call any route of the API, and print its response.')
    .addOption(
      new Option(
        '-f, --value <field=value>',
        'a field of the body, JSON or text: a.b=1 is nested; of GET and DELETE a parameter; repeatable',
      ).argParser(collect),
    )
    .option('--file <path>', 'the body, in JSON or YAML, - for stdin; -f overrides its fields')
    .option('--paginate', 'all pages of a list, as one list')
    .option('--field <a.b.c>', 'print this field alone; of a list, that of each item')
    .option('--key <text>', 'Idempotency-Key: the request may be repeated')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack api GET /v1/jobs -f tag=team:billing --paginate --field jobId
  quarterjack api POST /v1/schedules/preview -f 'schedule=every 5m' -f count=2
  quarterjack api PATCH /v1/jobs/report -f retry.maxAttempts=3
  quarterjack api GET /v1/openapi.json --field paths`,
    )
    .action(run(callApi));
}

async function callApi(context: Context, flags: ApiFlags, typed: string, path: string): Promise<void> {
  const method = typed.toUpperCase();
  if (!METHODS.includes(method))
    throw new CliError(`method is ${JSON.stringify(typed)}: expected one of ${METHODS.join(', ')}`);
  const values = nestedValuesOf('-f', flags.value);
  const isRead = method === 'GET' || method === 'DELETE';
  if (isRead && flags.file !== undefined) throw new CliError(`${method} has no body: leave out --file`);
  if (flags.paginate && method !== 'GET') throw new CliError('--paginate is for GET');
  const file = flags.file === undefined ? undefined : await readDefinition(flags.file, context.io);
  const body = isRead || (file === undefined && values === undefined) ? undefined : { ...file, ...values };
  const request = { query: isRead ? values : {}, body, idempotencyKey: flags.key };
  const client = context.client();
  const call = (query: object) =>
    client.request(method, path.replace(/^(?=v1\/)/, '/'), {
      ...request,
      query: { ...request.query, ...query },
    });
  const answer = flags.paginate ? await allPages(call) : await call({});
  if (answer === undefined) return;
  const shown = flags.field === undefined ? answer : fieldOf(answer, flags.field);
  context.print(shown, () => plainText(shown));
}

async function allPages(call: (query: object) => Promise<unknown>): Promise<unknown> {
  const all: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await call(cursor === undefined ? {} : { cursor });
    if (!isObject(page) || !Array.isArray(page.items))
      throw new CliError('the response is not a page of a list: leave out --paginate');
    all.push(...(page.items as unknown[]));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** A field by its path. Names in a list are those of its items: `items.jobId`. */
function fieldOf(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) found = oneField(found, name, path);
  return found;
}

/** So many names of fields are shown. */
const MAX_NAMES = 30;

/** An item of a list may lack the field, if another one has it. */
function oneField(value: unknown, name: string, path: string): unknown {
  if (Array.isArray(value) && /^\d+$/.test(name) && Number(name) < value.length) return value[Number(name)];
  const all = [value].flat(Infinity);
  const names = [...new Set(all.filter(isObject).flatMap((one) => Object.keys(one)))];
  if (all.length > 0 && !names.includes(name)) {
    const more = names.length > MAX_NAMES ? ', …' : '';
    const known = names.length > 0 ? `; it has ${names.slice(0, MAX_NAMES).join(', ')}${more}` : '';
    throw new CliError(
      `--field is ${JSON.stringify(path)}: there is no ${JSON.stringify(name)} in it${known}`,
    );
  }
  return ownOf(value, name);
}

function ownOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => ownOf(one, name));
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : null;
}

/** Texts as they are, one a line: what a shell reads. All else is JSON. */
function plainText(value: unknown): string {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const isPlain = all.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return isPlain ? all.map((one) => `${String(one)}\n`).join('') : jsonText(value);
}
