import type { Command } from 'commander';

import type { OrderingKey } from '../../client';
import type { Context } from '../context';
import { addNote } from '../flag-values';
import type { Run } from '../run';
import { fields, plain } from '../terminal/table';
import { instantText } from '../terminal/times';
import { EXECUTION_COLUMN } from './execution-text';

export function addOrderingKeyCommands(program: Command, run: Run): void {
  const keys = program
    .command('ordering-keys')
    .description('Show which executions wait for an ordering key, and unblock it.');

  keys
    .command('show <key>')
    .description('Show which execution holds a key, whether the key is blocked, and what waits.')
    .addHelpText('after', '\nExamples:\n  quarterjack ordering-keys show customer/42')
    .action(
      run(async (context: Context, _flags: object, key: string) => {
        const found = await context.client().orderingKey(key);
        context.print(found, () => keyText(found, context));
      }),
    );

  addNote(keys.command('unblock <key>'))
    .description('Release the executions that wait behind a failed one, which stays failed.')
    .addHelpText('after', '\nExamples:\n  quarterjack ordering-keys unblock customer/42')
    .action(
      run(async (context: Context, _flags: object, key: string) => {
        const found = await context.client().unblock(key);
        context.print(found, () => keyText(found, context));
      }),
    );
}

function keyText({ orderingKey, holder, blocked, waiting }: OrderingKey, { style, table }: Context): string {
  const state = blocked ? style.bad('blocked') : holder ? style.warn('in use') : style.good('free');
  const head = fields([
    ['key', style.strong(plain(orderingKey))],
    ['state', state],
    ['holder', holder ? `${holder.jobId} ${holder.execId} (${holder.status})` : undefined],
  ]);
  if (waiting.length === 0) return head;
  const rows = waiting.map(({ jobId, execId, dueAt }) => [instantText(dueAt), jobId, execId]);
  return `${head}\n${table([{ head: 'DUE (UTC)', spare: 1 }, 'JOB', EXECUTION_COLUMN], rows)}`;
}
