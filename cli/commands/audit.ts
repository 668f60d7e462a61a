import type { Command } from 'commander';

import type { AuditRecord } from '../../client';
import type { Context } from '../context';
import { numberOf, pageSizeOf } from '../flag-values';
import type { Run } from '../run';
import { plain, table } from '../terminal/table';
import { instantText, localText, zoneOfUser } from '../terminal/times';
import { addRange, type RangeFlags, rangeOf, TIME_HELP } from '../time-flags';
import { actorText } from './actor-text';

interface AuditFlags extends RangeFlags {
  limit: string;
}

export function addAuditCommand(program: Command, run: Run): void {
  addRange(
    program
      .command('audit')
      .description('List changes of API keys and secrets, and denied requests, newest first.'),
    'recorded',
    '30d',
  )
    .option('--limit <n>', 'show at most this many', '100')
    .addHelpText(
      'after',
      `\n${TIME_HELP}\n\nExamples:\n  quarterjack audit --since 7d\n  quarterjack audit --json | jq length`,
    )
    .action(
      run(async (context: Context, { limit, ...flags }: AuditFlags) => {
        const max = numberOf('--limit', limit);
        const filter = { ...rangeOf(flags, context.typedAt()), limit: pageSizeOf(max) };
        const found = await context.client().audit(filter).toArray(max);
        context.print(found, () =>
          found.length === 0 ? 'No records.\n' : auditTable(found, zoneOfUser(context.io.env)),
        );
      }),
    );
}

const auditTable = (records: readonly AuditRecord[], zone: string): string =>
  table(
    ['AT', 'BY', 'WHAT', 'OUTCOME', 'RESOURCE', 'DETAIL'],
    records.map(({ at, by, what, outcome, resource, detail, note }) => [
      localText(at, zone) ?? `${instantText(at)}Z`,
      actorText(by),
      what,
      outcome,
      plain(resource, 60),
      plain([detail, note].filter((text) => text !== null).join('; '), 120),
    ]),
  );
