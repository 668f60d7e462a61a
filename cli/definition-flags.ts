import { type Command, Option } from 'commander';

import { CliError } from './exit-codes';
import { scheduleOf } from './schedule-text';

/** The fields of a job that have a flag; a file can say all of them. */
export interface DefinitionFlags {
  name?: string;
  schedule?: string;
  timezone?: string;
  http?: string;
  method?: string;
  header?: string[];
  payload?: string;
  priority?: string;
  pool?: string;
  retryAttempts?: number;
  overlap?: string;
  misfire?: string;
  timeout?: string;
  orderingKey?: string;
  onFailure?: string;
  tag?: string[];
}

const collect = (value: string, all: string[] = []) => [...all, value];

const wholeNumber = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CliError(`${JSON.stringify(text)} is no whole number`);
};

export const addDefinitionFlags = (command: Command): Command =>
  command
    .option('--name <text>', 'for people')
    .option(
      '--schedule <text>',
      'a cron expression, "every 30s", "in 10m", an instant, "rate(5 minutes)", or JSON',
    )
    .option('--timezone <zone>', 'of the schedule, such as Europe/Berlin')
    .option('--http <url>', 'call this URL')
    .addOption(
      new Option('--method <method>', 'of the call').choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    )
    .option('--header <name:value>', 'of the call; repeatable', collect)
    .option('--payload <json>', 'what the target gets')
    .addOption(new Option('--priority <priority>').choices(['highest', 'high', 'medium', 'low', 'lowest']))
    .option('--pool <pool>', 'the set of queues and executors to run in')
    .option('--retry-attempts <n>', 'attempts in all', wholeNumber)
    .addOption(new Option('--overlap <policy>').choices(['allow', 'skip', 'queue', 'replace']))
    .addOption(new Option('--misfire <policy>').choices(['fire-now', 'fire-once', 'fire-all', 'skip']))
    .option('--timeout <duration>', 'of one attempt')
    .option('--ordering-key <key>', 'executions of one key run one at a time')
    .addOption(
      new Option('--on-failure <policy>', 'what a failed one does to its key').choices(['continue', 'block']),
    )
    .option('--tag <key=value>', 'repeatable', collect);

/** What the flags say, as the API spells it; nothing of what they leave out. */
export function definitionFromFlags(flags: DefinitionFlags): Record<string, unknown> {
  const { name, priority, pool, overlap, timeout, orderingKey, onFailure } = flags;
  const given: Record<string, unknown> = { name, priority, pool, overlap, timeout, orderingKey, onFailure };
  if (flags.schedule !== undefined) given.schedule = scheduleOf(flags.schedule, flags);
  else if (flags.timezone !== undefined) given.schedule = { timezone: flags.timezone };
  const target = targetOf(flags);
  if (target) given.target = target;
  if (flags.payload !== undefined) given.payload = jsonOf('--payload', flags.payload);
  if (flags.retryAttempts !== undefined) given.retry = { maxAttempts: flags.retryAttempts };
  if (flags.misfire !== undefined) given.misfire = { policy: flags.misfire };
  if (flags.tag) given.tags = pairs('--tag', flags.tag, '=');
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
      `${flag} is not JSON: ${(cause as Error).message}; quote text as '"text"'`,
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
      throw new CliError(`${flag} ${JSON.stringify(text)}: expected name${separator}value`);
    }),
  );
}
