import type { Command } from 'commander';

import type { AuditRecord } from '../../client';
import type { Context } from '../context';
import { numberOf, pageSizeOf } from '../flag-values';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { texts } from '../terminal/table';
import { timeText, zoneOfUser } from '../terminal/times';
import { addRange, type RangeFlags, rangeOf } from '../time-flags';
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
      '\nExamples:\n  quarterjack audit --since 7d\n  quarterjack audit --json | jq length',
    )
    .action(
      run(async (context: Context, { limit, ...flags }: AuditFlags) => {
        const max = numberOf('--limit', limit);
        const filter = { ...rangeOf(flags, context.typedAt()), limit: pageSizeOf(max) };
        const found = await context.client().audit(filter).toArray(max);
        context.print(found, () => (found.length === 0 ? 'No records.\n' : auditTable(found, context)));
      }),
    );
}

const auditTable = (records: readonly AuditRecord[], { table, io }: Pick<Context, 'table' | 'io'>): string =>
  table(
    ['AT', texts('BY'), 'WHAT', 'OUTCOME', texts('RESOURCE'), texts('DETAIL')],
    records.map(({ at, by, what, outcome, resource, detail, note }) => [
      timeText(at, zoneOfUser(io.env)),
      actorText(by),
      what,
      outcome,
      singleLine(resource),
      singleLine([detail, note].filter((text) => text !== null).join('; ')),
    ]),
  );
