import type { Command } from 'commander';

import type { ChangeRecord } from '../../client';
import type { Context } from '../context';
import { definitionRows } from '../definition-text';
import { addNote, numberOf, pageSizeOf } from '../flag-values';
import { isObject } from '../is-object';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { fields, plain, texts } from '../terminal/table';
import { timeZoneOf } from '../schedule-text';
import { bothTimes, timeText, zoneOfUser } from '../terminal/times';
import { instantIn } from '../time-flags';
import { actorText } from './actor-text';
import { jobText } from './job-text';

interface WhichFlags {
  createdAt?: string;
}

const CREATED_AT = 'of a deleted job whose id a later job has: CREATED of the list';

/** `jobs changes` and `jobs restore`. */
export function addChangeCommands(jobs: Command, run: Run): void {
  jobs
    .command('changes <jobId> [number]')
    .description('List the changes of a job, newest first, or show one of them. Works for deleted jobs too.')
    .option('--limit <n>', 'show at most this many', '100')
    .option('--created-at <time>', CREATED_AT)
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack jobs changes report\n  quarterjack jobs changes report 3 --json | jq .patch',
    )
    .action(run(showChanges));
  addNote(jobs.command('restore <jobId> <number>'))
    .description('Give a job the definition that it had after a change. A deleted job is created again.')
    .option('--created-at <time>', CREATED_AT)
    .addHelpText(
      'after',
      `
The number is that of jobs changes. A job keeps its status; a deleted job gets the one that it had then.

Examples:
  quarterjack jobs restore report 3 --note 'the new host is down'`,
    )
    .action(
      run(async (context: Context, flags: WhichFlags, jobId: string, number: string) => {
        const wanted = numberOf('number', number);
        const job = await context.client().changes.restore(jobId, wanted, whichOf(flags, context));
        context.print(job, () => `Restored change ${wanted} of ${jobId}.\n\n${jobText(job, context)}`);
      }),
    );
}

const whichOf = ({ createdAt }: WhichFlags, context: Context): WhichFlags =>
  createdAt === undefined ? {} : { createdAt: instantIn('--created-at', createdAt, context.typedAt()) };

async function showChanges(
  context: Context,
  { limit, ...flags }: WhichFlags & { limit: string },
  jobId: string,
  number: string | undefined,
): Promise<void> {
  const { changes } = context.client();
  if (number !== undefined) {
    const change = await changes.get(jobId, numberOf('number', number), whichOf(flags, context));
    context.print(change, () => changeText(change, zoneOfUser(context.io.env)));
    return;
  }
  const max = numberOf('--limit', limit);
  // One change more than is shown tells whether there are more.
  const found = await changes.list(jobId, { limit: pageSizeOf(max + 1) }).toArray(max + 1);
  const shown = found.slice(0, max);
  context.print(shown, () => changeTable(shown, context));
  if (found.length > max) context.say(`There are more than ${max} changes: raise --limit.`);
}

/** Has a column for the creation if the changes are of several jobs. */
function changeTable(changes: readonly ChangeRecord[], { table, io }: Pick<Context, 'table' | 'io'>): string {
  const isMixed = new Set(changes.map(({ createdAt }) => createdAt)).size > 1;
  return table(
    [
      'NUMBER',
      { head: 'AT', spare: 1 },
      texts('BY'),
      'WHAT',
      texts('FIELDS'),
      texts('NOTE'),
      ...(isMixed ? ['CREATED'] : []),
    ],
    changes.map((change) => [
      String(change.number),
      timeText(change.at, zoneOf(change, zoneOfUser(io.env))),
      change.by ? actorText(change.by) : '',
      whatText(change),
      singleLine(fieldsOf(change).join(', ')),
      singleLine(change.note ?? ''),
      ...(isMixed ? [change.createdAt] : []),
    ]),
  );
}

/** The zone of the job's schedule, else the user's. */
const zoneOf = ({ definition }: ChangeRecord, ownZone: string): string =>
  timeZoneOf(definition?.schedule) ?? ownZone;

const changeText = (change: ChangeRecord, ownZone: string): string =>
  fields([
    ['change', String(change.number)],
    ['what', whatText(change)],
    ['at', bothTimes(change.at, zoneOf(change, ownZone))],
    ['by', change.by ? actorText(change.by) : undefined],
    ['note', change.note === null ? undefined : plain(change.note)],
    ['fields', fieldsOf(change).length === 0 ? undefined : plain(fieldsOf(change).join(', '))],
    ['status', change.status ?? undefined],
    ['name', change.definition?.name && plain(change.definition.name)],
    ...(change.definition ? definitionRows(change.definition) : []),
  ]);

const whatText = ({ what, restoredFrom }: ChangeRecord): string =>
  restoredFrom === undefined ? what : `${what} ${restoredFrom}`;

/** The fields that a change set or removed, dotted: `schedule.expression`. Their values may be secrets. */
const fieldsOf = ({ patch }: ChangeRecord): string[] => (patch ? pathsIn(patch) : []);

const pathsIn = (patch: Record<string, unknown>): string[] =>
  Object.entries(patch).flatMap(([name, value]) =>
    isObject(value) ? pathsIn(value).map((path) => `${name}.${path}`) : [name],
  );
