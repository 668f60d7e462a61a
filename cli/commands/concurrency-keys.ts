import type { Command } from 'commander';

import type { ConcurrencyKey } from '../../client';
import type { Context } from '../context';
import { numberOf } from '../flag-values';
import type { Run } from '../run';
import { plain, table } from '../terminal/table';
import { instantText } from '../terminal/times';

export function addConcurrencyKeyCommands(program: Command, run: Run): void {
  const keys = program
    .command('concurrency-keys')
    .description('Limit how many executions of all jobs with one key run at a time.');

  keys
    .command('set <key>')
    .description('Create a key or change its limit. The token needs the scope jobs:write.')
    .requiredOption('--limit <n>', 'executions at a time, 1 to 100')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack concurrency-keys set crm --limit 3\n  quarterjack jobs edit sync-contacts --concurrency-key crm',
    )
    .action(
      run(async (context: Context, flags: { limit: string }, key: string) => {
        const limit = numberOf('--limit', flags.limit);
        const found = await context.client().concurrencyKeys.set(key, { limit });
        context.print(found, () => `${plain(found.key)} lets ${found.limit} run at a time\n`);
      }),
    );

  keys
    .command('list')
    .description('List the keys: limits, and how many executions run and wait.')
    .addHelpText('after', '\nExamples:\n  quarterjack concurrency-keys list')
    .action(
      run(async (context: Context) => {
        const all: ConcurrencyKey[] = [];
        for await (const key of context.client().concurrencyKeys.list({ limit: 100 })) all.push(key);
        context.print(all, () => keysText(all));
      }),
    );

  keys
    .command('show <key>')
    .description('Show which executions hold a slot of a key, and which wait.')
    .addHelpText('after', '\nExamples:\n  quarterjack concurrency-keys show crm')
    .action(
      run(async (context: Context, _flags: object, key: string) => {
        const found = await context.client().concurrencyKeys.get(key);
        context.print(found, () => keyText(found));
      }),
    );

  keys
    .command('rm <key>')
    .description('Delete a key that no job uses.')
    .option('--force', 'delete it even if jobs use it: their executions then run one at a time')
    .addHelpText('after', '\nExamples:\n  quarterjack concurrency-keys rm crm')
    .action(
      run(async (context: Context, { force = false }: { force?: boolean }, key: string) => {
        await context.client().concurrencyKeys.remove(key, { force });
        context.print({ key, deleted: true }, () => `${plain(key)} is deleted\n`);
      }),
    );
}

const waitingText = ({ waiting, hasMoreWaiting }: ConcurrencyKey): string =>
  `${waiting.length}${hasMoreWaiting ? '+' : ''}`;

const keysText = (keys: readonly ConcurrencyKey[]): string =>
  keys.length === 0
    ? 'No concurrency keys.\n'
    : table(
        ['KEY', 'LIMIT', 'RUNNING', 'WAITING'],
        keys.map((key) => [plain(key.key), `${key.limit}`, `${key.running.length}`, waitingText(key)]),
      );

const keyText = (key: ConcurrencyKey): string =>
  `${plain(key.key)}: ${key.running.length} of ${key.limit} run, ${waitingText(key)} wait\n` +
  (key.running.length + key.waiting.length === 0
    ? ''
    : table(
        ['JOB', 'EXECUTION', 'STATE', 'TIME'],
        [
          ...key.running.map(({ jobId, execId, since }) => [
            plain(jobId),
            plain(execId),
            'running',
            `since ${instantText(since)}`,
          ]),
          ...key.waiting.map(({ jobId, execId, dueAt }) => [
            plain(jobId),
            plain(execId),
            'waiting',
            `due ${instantText(dueAt)}`,
          ]),
        ],
      ));
