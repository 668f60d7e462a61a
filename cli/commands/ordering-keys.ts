import type { Command } from 'commander';

import type { OrderingKey } from '../../client';
import type { Context } from '../context';
import type { Run } from '../run';
import { fields, plain, table } from '../terminal/table';
import { instantText } from '../terminal/times';

export function addOrderingKeyCommands(program: Command, run: Run): void {
  const keys = program
    .command('ordering-keys')
    .description('Show who waits for an ordering key, and let them go on.');

  keys
    .command('show <key>')
    .description('Show who holds a key, whether it is blocked, and who waits.')
    .action(
      run(async (context: Context, _flags: object, key: string) => {
        const found = await context.client().orderingKey(key);
        context.print(found, () => keyText(found, context));
      }),
    );

  keys
    .command('unblock <key>')
    .description('Let those go on that wait behind a failed execution; it stays failed.')
    .addHelpText('after', '\nExamples:\n  quarterjack ordering-keys unblock customer/42')
    .action(
      run(async (context: Context, _flags: object, key: string) => {
        const found = await context.client().unblock(key);
        context.print(found, () => keyText(found, context));
      }),
    );
}

function keyText({ orderingKey, holder, blocked, waiting }: OrderingKey, { style }: Context): string {
  const state = blocked ? style.bad('blocked') : holder ? style.warn('held') : style.good('free');
  const head = fields([
    ['key', style.strong(plain(orderingKey))],
    ['state', state],
    ['holder', holder ? `${holder.jobId} ${holder.execId} (${holder.status})` : undefined],
  ]);
  if (waiting.length === 0) return head;
  const rows = waiting.map(({ jobId, execId, dueAt }) => [instantText(dueAt), jobId, execId]);
  return `${head}\n${table(['DUE (UTC)', 'JOB', 'EXECUTION'], rows)}`;
}
