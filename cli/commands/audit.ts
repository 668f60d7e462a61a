import type { Command } from 'commander';

import type { AuditRecord } from '../../client';
import type { Context } from '../context';
import { durationOf, numberOf, pageSizeOf } from '../flag-values';
import type { Run } from '../run';
import { plain, table } from '../terminal/table';
import { instantText, localText, zoneOfUser } from '../terminal/times';
import { actorText } from './actor-text';

interface AuditFlags {
  since: string;
  from?: string;
  to?: string;
  limit: string;
}

export function addAuditCommand(program: Command, run: Run): void {
  program
    .command('audit')
    .description('List changes of API keys and secrets, and denied requests, newest first.')
    .option('--since <duration>', 'within this time before now', '30d')
    .option('--from <instant>', 'at this time or later, RFC 3339; overrides --since')
    .option('--to <instant>', 'before this time')
    .option('--limit <n>', 'show at most this many', '100')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack audit --since 7d\n  quarterjack audit --json | jq length',
    )
    .action(
      run(async (context: Context, { since, limit, ...flags }: AuditFlags) => {
        const sinceMs = durationOf('--since', since);
        const from = flags.from ?? new Date(context.io.nowMs() - sinceMs).toISOString();
        const max = numberOf('--limit', limit);
        const filter = { from, to: flags.to, limit: pageSizeOf(max) };
        const found = await context.client().audit(filter).toArray(max);
        context.print(found, () =>
          found.length === 0 ? 'No records.\n' : auditTable(found, zoneOfUser(context.io.env)),
        );
      }),
    );
}

const auditTable = (records: readonly AuditRecord[], zone: string): string =>
  table(
    ['AT (UTC)', 'LOCAL', 'BY', 'WHAT', 'OUTCOME', 'RESOURCE', 'DETAIL'],
    records.map(({ at, by, what, outcome, resource, detail, note }) => [
      instantText(at),
      localText(at, zone) ?? '',
      actorText(by),
      what,
      outcome,
      plain(resource, 60),
      plain([detail, note].filter((text) => text !== null).join('; '), 120),
    ]),
  );
