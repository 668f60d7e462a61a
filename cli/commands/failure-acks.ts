import type { Command } from 'commander';

import type { FailureAck } from '../../client';
import type { Context } from '../context';
import { addNote } from '../flag-values';
import type { Run } from '../run';
import { plain, texts } from '../terminal/table';
import { singleLine } from '../terminal/printable';
import { instantText } from '../terminal/times';
import { untilOf } from '../time-flags';

/** What the users of a project know about: `failures ack`, `acks` and `unack`. */
export function addFailureAckCommands(failures: Command, run: Run): void {
  addNote(failures.command('ack <fingerprint>'))
    .description('Say to all users of the project that a user knows about a cause.')
    .option('--until <time>', 'a duration such as 7d, or a time; at most 30 days ahead', '1d')
    .addHelpText(
      'after',
      `
It ends by itself, and earlier if a job fails so that had not before. Notifications are sent as before.

Examples:
  quarterjack failures ack failed/fatal/status/500/crm.example.com/1f0c9a2e --until 3d --note 'they know'`,
    )
    .action(
      run(async (context: Context, flags: { until: string; note?: string }, fingerprint: string) => {
        const until = untilOf(flags.until, context.typedAt());
        const ack = { fingerprint, until, ...(flags.note && { note: flags.note }) };
        const found = await context.client().failureAcks.set(ack);
        context.print(found, () => `${plain(fingerprint)} is known until ${instantText(found.until)}\n`);
      }),
    );
  failures
    .command('acks')
    .description('List the causes that a user knows about.')
    .addHelpText('after', '\nExamples:\n  quarterjack failures acks')
    .action(
      run(async (context: Context) => {
        const all = await context.client().failureAcks.list({ limit: 100 }).toArray();
        context.print(all, () => (all.length === 0 ? 'None.\n' : acksTable(all, context)));
      }),
    );
  failures
    .command('unack <fingerprint>')
    .description('Take an acknowledgement back.')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack failures unack failed/fatal/status/500/crm.example.com/1f0c9a2e',
    )
    .action(
      run(async (context: Context, _flags: object, fingerprint: string) => {
        await context.client().failureAcks.remove(fingerprint);
        context.print({ fingerprint, acknowledged: false }, () => `${plain(fingerprint)} is open again\n`);
      }),
    );
}

const acksTable = (acks: readonly FailureAck[], { table }: Pick<Context, 'table'>): string =>
  table(
    ['UNTIL (UTC)', 'JOBS', { ...texts('BY'), spare: 1 }, 'CAUSE', texts('NOTE')],
    acks.map(({ fingerprint, until, jobs, by, note }) => [
      instantText(until),
      String(jobs),
      singleLine(by.name ?? by.sub),
      singleLine(fingerprint),
      singleLine(note ?? ''),
    ]),
  );
