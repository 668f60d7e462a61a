import type { Command } from 'commander';

import { type ConcurrencyKey, NotFoundError, type Quarterjack } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { numberOf } from '../flag-values';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { plain } from '../terminal/table';
import { instantText } from '../terminal/times';
import { addDelete } from './delete';
import { EXECUTION_COLUMN } from './execution-text';

export function addConcurrencyKeyCommands(program: Command, run: Run): void {
  const keys = program
    .command('concurrency-keys')
    .description('Limit how many executions of all jobs with one key run at a time, and start in a period.');

  addSet(keys, run);

  keys
    .command('list')
    .description('List the keys: limits, and how many executions run and wait.')
    .addHelpText('after', '\nExamples:\n  quarterjack concurrency-keys list')
    .action(
      run(async (context: Context) => {
        const all = await context.client().concurrencyKeys.list({ limit: 100 }).toArray();
        context.print(all, () => keysText(all, context));
      }),
    );

  keys
    .command('show <key>')
    .description('Show which executions hold a slot of a key, and which wait.')
    .addHelpText('after', '\nExamples:\n  quarterjack concurrency-keys show crm')
    .action(
      run(async (context: Context, _flags: object, key: string) => {
        const found = await context.client().concurrencyKeys.get(key);
        context.print(found, () => keyText(found, context));
      }),
    );

  addDelete(keys, run, {
    argument: 'key',
    what: 'concurrency key',
    example: 'crm',
    description: 'Delete a key that no job uses.',
    force: 'delete it even if jobs use it: their executions then run one at a time',
    remove: (client, key, options) => client.concurrencyKeys.remove(key, options),
  });
}

function addSet(keys: Command, run: Run): void {
  keys
    .command('set <key>')
    .description('Create a key or change its limits. The token needs the scope jobs:write.')
    .requiredOption('--limit <n>', 'executions at a time, 1 to 100')
    .option('--rate <n/period>', 'executions that start in any such period: 10/1m; kept if not named')
    .option('--no-rate', 'remove the rate')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack concurrency-keys set crm --limit 3\n  quarterjack concurrency-keys set crm --limit 3 --rate 10/1m\n  quarterjack jobs edit sync-contacts --concurrency-key crm\n' +
        "  quarterjack concurrency-keys set 'crm.*' --limit 3\n  quarterjack jobs edit sync-contacts --concurrency-key 'crm.{{ payload.tenant }}'",
    )
    .action(
      run(async (context: Context, flags: { limit: string; rate?: string | false }, key: string) => {
        const limit = numberOf('--limit', flags.limit);
        const given = typeof flags.rate === 'string' ? rateOf(flags.rate) : undefined;
        const client = context.client();
        const rate = given ?? (flags.rate === false ? undefined : await presentRate(key, client));
        const found = await client.concurrencyKeys.set(key, { limit, ...(rate && { rate }) });
        context.print(
          found,
          () => `${plain(found.key)} lets ${found.limit} run at a time${startsText(found)}\n`,
        );
      }),
    );
}

type Rate = NonNullable<ConcurrencyKey['rate']>;

/** A rate as it is typed: `10/1m`. The API checks the period. Throws a `CliError`. */
function rateOf(text: string): Rate {
  const [, limit, per] = /^(\d{1,7})\/(.+)$/.exec(text) ?? [];
  if (limit !== undefined && per !== undefined) return { limit: Number(limit), per };
  throw new CliError(`--rate is ${JSON.stringify(text)}; expected a number and a period, such as 10/1m`);
}

async function presentRate(key: string, client: Quarterjack): Promise<Rate | undefined> {
  try {
    const found = await client.concurrencyKeys.get(key);
    // A rate that comes from a rule stays the rule's.
    return found.rule === undefined ? found.rate : undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const rateText = ({ rate }: ConcurrencyKey): string => (rate ? `${rate.limit}/${plain(rate.per)}` : '-');

const startsText = ({ rate }: ConcurrencyKey): string =>
  rate ? `, and ${rate.limit} start in any ${plain(rate.per)}` : '';

const waitingText = ({ waiting, hasMoreWaiting }: ConcurrencyKey): string =>
  `${waiting.length}${hasMoreWaiting ? '+' : ''}`;

const keysText = (keys: readonly ConcurrencyKey[], { table }: Pick<Context, 'table'>): string =>
  keys.length === 0
    ? 'No concurrency keys.\n'
    : table(
        ['KEY', 'LIMIT', 'RATE', 'RUNNING', 'WAITING'],
        keys.map((key) => [
          singleLine(key.key),
          `${key.limit}`,
          rateText(key),
          // A rule has no executions: each of its keys has its own.
          ...(isRule(key) ? ['-', '-'] : [`${key.running.length}`, waitingText(key)]),
        ]),
      );

const isRule = ({ key }: ConcurrencyKey): boolean => key.endsWith('*');

/** A rule has no executions of its own. */
const countsText = (key: ConcurrencyKey): string =>
  isRule(key)
    ? `${key.limit} of each key run at a time${startsText(key)}`
    : `${key.running.length} of ${key.limit} run, ${waitingText(key)} wait${recentText(key)}${ruleText(key)}`;

const recentText = ({ rate, recentStarts = 0 }: ConcurrencyKey): string =>
  rate ? `; ${recentStarts} of ${rate.limit} started in the last ${plain(rate.per)}` : '';

const ruleText = ({ rule }: ConcurrencyKey): string =>
  rule === undefined ? '' : `; limits of ${plain(rule)}`;

const keyText = (key: ConcurrencyKey, { table }: Pick<Context, 'table'>): string =>
  `${plain(key.key)}: ${countsText(key)}\n` +
  (key.running.length + key.waiting.length === 0
    ? ''
    : table(
        ['JOB', EXECUTION_COLUMN, 'STATE', { head: 'TIME', spare: 1 }],
        [
          ...key.running.map(({ jobId, execId, since }) => [
            singleLine(jobId),
            singleLine(execId),
            'running',
            `since ${instantText(since)}`,
          ]),
          ...key.waiting.map(({ jobId, execId, dueAt }) => [
            singleLine(jobId),
            singleLine(execId),
            'waiting',
            `due ${instantText(dueAt)}`,
          ]),
        ],
      ));
