import { type Command, Option } from 'commander';

import { CliError } from './exit-codes';
import { collect, tagOf } from './flag-values';
import { addRetryFlags, retryFromFlags, type RetryFlags } from './retry-flags';
import { scheduleOf } from './schedule-text';

/** The flags that set fields of a job. A definition file can set every field. */
export interface DefinitionFlags extends RetryFlags {
  name?: string;
  schedule?: string;
  timezone?: string;
  http?: string;
  method?: string;
  header?: string[];
  payload?: string;
  templates?: boolean;
  priority?: string;
  pool?: string;
  overlap?: string;
  misfire?: string;
  timeout?: string;
  orderingKey?: string;
  concurrencyKey?: string;
  onFailure?: string;
  tag?: string[];
}

const SCHEDULE_HELP =
  'a cron expression, "every 30s", "in 10m", an RFC 3339 time, "rate(5 minutes)", "after JOB", "event NAME", ' +
  '"none", or JSON';

export const addDefinitionFlags = (command: Command): Command =>
  addPolicyFlags(addRetryFlags(addCallFlags(command))).option(
    '--tag <key=value>',
    'set a tag; repeatable',
    collect,
  );

const addCallFlags = (command: Command): Command =>
  command
    .option('--name <text>', 'display name')
    .option('--schedule <text>', SCHEDULE_HELP)
    .option('--timezone <zone>', 'time zone of the schedule, such as Europe/Berlin')
    .option('--http <url>', 'the URL to call')
    .addOption(
      new Option('--method <method>', 'HTTP method of the call').choices([
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
      ]),
    )
    .option('--header <name:value>', 'HTTP header of the call; repeatable', collect)
    .option('--payload <json>', 'JSON that the target receives')
    .option('--templates', 'payload, headers and URL have templates: {{ run.day }}')
    .option('--no-templates', 'braces are text');

const addPolicyFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--priority <priority>', 'priority of its executions').choices([
        'highest',
        'high',
        'medium',
        'low',
        'lowest',
      ]),
    )
    .option('--pool <pool>', 'the pool whose queues and executors run it')
    .addOption(
      new Option('--overlap <policy>', 'what to do if the previous execution is still running').choices([
        'allow',
        'skip',
        'queue',
        'replace',
      ]),
    )
    .addOption(
      new Option('--misfire <policy>', 'what to do with occurrences that are found late').choices([
        'fire-now',
        'fire-once',
        'fire-all',
        'skip',
      ]),
    )
    .option('--timeout <duration>', 'time limit of one attempt')
    .option('--ordering-key <key>', 'executions with the same key run one at a time')
    .option('--concurrency-key <key>', 'executions with the same key run a limited number at a time')
    .addOption(
      new Option('--on-failure <policy>', 'what a failed execution does to its ordering key').choices([
        'continue',
        'block',
      ]),
    );

/** The fields that the flags set, in the form of the API. Fields without a flag are absent. */
export function definitionFromFlags(flags: DefinitionFlags): Record<string, unknown> {
  const { name, templates, priority, pool, overlap, timeout, onFailure } = flags;
  const { orderingKey, concurrencyKey } = flags;
  const given: Record<string, unknown> = {
    name,
    templates,
    priority,
    pool,
    overlap,
    timeout,
    orderingKey,
    concurrencyKey,
    onFailure,
  };
  if (flags.schedule !== undefined) given.schedule = scheduleOf(flags.schedule, flags);
  else if (flags.timezone !== undefined) given.schedule = { timezone: flags.timezone };
  const target = targetOf(flags);
  if (target) given.target = target;
  if (flags.payload !== undefined) given.payload = jsonOf('--payload', flags.payload);
  given.retry = retryFromFlags(flags);
  if (flags.misfire !== undefined) given.misfire = { policy: flags.misfire };
  if (flags.tag) given.tags = Object.fromEntries(flags.tag.map(tagOf));
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function targetOf({ http, method, header }: DefinitionFlags): Record<string, unknown> | undefined {
  if (http === undefined && method === undefined && header === undefined) return undefined;
  return {
    ...(http === undefined ? {} : { type: 'http', url: http }),
    ...(method === undefined ? {} : { method }),
    ...(header === undefined ? {} : { headers: pairs('--header', header, ':') }),
  };
}

export function jsonOf(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(
      `${flag} is not JSON: ${(cause as Error).message}; write a string as '"text"'`,
      undefined,
      { cause },
    );
  }
}

function pairs(flag: string, texts: readonly string[], separator: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      throw new CliError(`${flag} is ${JSON.stringify(text)}; expected name${separator}value`);
    }),
  );
}
