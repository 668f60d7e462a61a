import type { Command } from 'commander';

import type { Calendar, CalendarChange, CalendarDefinition, CalendarSummary } from '../../client';
import { calendarOf } from '../calendars/calendar-file';
import { endText } from '../calendars/end-text';
import type { IcsImport } from '../../client/ics/read-ics';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { foreignFile } from '../foreign-file';
import { readStdin } from '../io';
import { readDefinition, readText } from '../read-definition';
import type { Run } from '../run';
import { plural } from '../terminal/plural';
import { singleLine } from '../terminal/printable';
import { plain, texts } from '../terminal/table';
import { instantText } from '../terminal/times';
import { addDelete } from './delete';

interface ImportFlags {
  id: string;
  name?: string;
  timezone?: string;
  weekdays?: string;
  years: string;
  dryRun?: boolean;
}

/** So many notes of a file are shown. */
const MAX_NOTES = 20;

export function addCalendarCommands(program: Command, run: Run): void {
  const calendars = program
    .command('calendars')
    .description('Set, import, list, show and delete the calendars that schedules exclude, or keep to.');

  calendars
    .command('list')
    .description('List the calendars of the project.')
    .addHelpText('after', '\nExamples:\n  quarterjack calendars list')
    .action(
      run(async (context: Context) => {
        const all = await context.client().calendars.list({ limit: 100 }).toArray();
        context.print(all, () => listText(all, context));
      }),
    );

  calendars
    .command('show <id>')
    .description('Show a calendar: its days and times, and the jobs that use it.')
    .addHelpText('after', '\nExamples:\n  quarterjack calendars show de-holidays')
    .action(
      run(async (context: Context, _: object, id: string) => {
        const calendar = await context.client().calendars.get(id);
        context.print(calendar, () => calendarText(calendar));
      }),
    );

  addSet(calendars, run);
  addImport(calendars, run);

  addDelete(calendars, run, {
    argument: 'id',
    what: 'calendar',
    example: 'de-holidays',
    field: 'calendarId',
    description: 'Delete a calendar that no job uses.',
    remove: (client, id) => client.calendars.remove(id),
  });
}

function addSet(calendars: Command, run: Run): void {
  calendars
    .command('set <id> <file>')
    .description('Create a calendar or replace its content, from a file in YAML or JSON (- for stdin).')
    .addHelpText(
      'after',
      `
  name: German holidays
  timezone: Europe/Berlin
  weekdays: [SAT, SUN]
  dates: [2026-12-25, { from: "2026-12-24T18:00", to: "2026-12-27T06:00", note: freeze }]
  yearly: ["01-01"]

Examples:
  quarterjack calendars set de-holidays holidays.yaml`,
    )
    .action(
      run(async (context: Context, _: object, id: string, file: string) => {
        await put(context, id, calendarOf(await readDefinition(file, context.io), file));
      }),
    );
}

function addImport(calendars: Command, run: Run): void {
  calendars
    .command('import <file>')
    .description('Create or replace a calendar from an iCalendar file, .ics (- for stdin).')
    .requiredOption('--id <id>', 'id of the calendar')
    .option('--name <name>', 'name of the calendar (default: as in the file)')
    .option('--timezone <zone>', 'zone of the calendar (default: as in the file)')
    .option('--weekdays <days>', 'weekdays to add, such as SAT,SUN')
    .option('--years <n>', 'years of recurring events to take, 1 to 20, this one included', '3')
    .option('--dry-run', 'show the calendar, and change nothing')
    .addHelpText(
      'after',
      `
Takes the files that Google, Apple and Nager.Date publish. An all-day event that recurs on its date becomes a date of
every year. Other recurring events are expanded. What ended before this year is left out.

Examples:
  quarterjack calendars import holidays.ics --id de-holidays --weekdays SAT,SUN
  curl -s https://example.com/us.ics | quarterjack calendars import - --id us-holidays --years 5 --dry-run`,
    )
    .action(run(importCalendar));
}

async function importCalendar(context: Context, flags: ImportFlags, file: string): Promise<void> {
  const { id, name, timezone, weekdays, dryRun = false } = flags;
  const years = /^\d{1,2}$/.test(flags.years) ? Number(flags.years) : 0;
  if (years < 1 || years > 20)
    throw new CliError(`--years is ${JSON.stringify(flags.years)}; expected 1 to 20`);
  const text = file === '-' ? await readStdin(context.io) : readText(file);
  const options = { nowMs: context.io.nowMs(), years, ...(timezone !== undefined && { timezone }) };
  // loaded here: no other command needs the parser
  const { IcsError, readIcs } = await import('../../client/ics/read-ics.ts');
  const read = (): IcsImport => {
    try {
      return readIcs(text, file === '-' ? 'stdin' : file, options);
    } catch (cause) {
      if (!(cause instanceof IcsError)) throw cause;
      const foreign = foreignFile(text, file === '-' ? 'stdin' : file, 'calendar');
      throw new CliError(foreign ?? cause.message, undefined, { cause });
    }
  };
  const found = read();
  const { calendar } = found;
  context.say(reportText(found));
  const days = weekdays?.split(',').map((day) => day.trim().toUpperCase());
  const definition = {
    ...calendar,
    ...(name !== undefined && { name }),
    ...(days && { weekdays: days }),
  } as CalendarDefinition;
  if (dryRun) context.print(definition, () => `${contentText(definition)}\n`);
  else await put(context, id, definition);
}

/** What an import took, what it left out, and why. */
function reportText({ calendar, events, past, cancelled, cutAfter, notes }: IcsImport): string {
  const { dates = [], yearly = [] } = calendar;
  const left = [
    ...(past > 0 ? [`${past} ended before this year`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  const end = endText(calendar);
  const lines = [
    `${plural(events, 'event')}: ${plural(dates.length, 'date')}, ${yearly.length} of every year.`,
    ...(left.length > 0 ? [`Left out: ${left.join(', ')}.`] : []),
    ...(cutAfter === undefined ? [] : [`Events that recur without an end are taken until ${cutAfter}.`]),
    ...(end === undefined ? [] : [`The calendar ${end}.`]),
    ...notes.slice(0, MAX_NOTES).map((note) => plain(note)),
    ...(notes.length > MAX_NOTES ? [`and ${notes.length - MAX_NOTES} more`] : []),
  ];
  return lines.join('\n');
}

async function put(context: Context, id: string, definition: CalendarDefinition): Promise<void> {
  const changed = await context.client().calendars.put(id, definition);
  context.print(changed, () => changeText(changed));
}

/** What a change did to the jobs that use the calendar. */
export function changeText({ calendarId, replanned, remaining, movedIntoPast }: CalendarChange): string {
  const later = remaining > 0 ? `, ${remaining} follow within minutes` : '';
  const lost = movedIntoPast.map(
    ({ jobId, at, movedTo }) =>
      `${plain(jobId)}: ${instantText(at)}Z moved into the past, to ${instantText(movedTo)}Z, and does not run\n`,
  );
  return `${plain(calendarId)} is set: ${replanned} jobs replanned${later}\n${lost.join('')}`;
}

function listText(calendars: readonly CalendarSummary[], { table }: Pick<Context, 'table'>): string {
  if (calendars.length === 0) return 'no calendars\n';
  const rows = calendars.map(({ calendarId, name, knownUntil, updatedAt, by, changing }) => [
    singleLine(calendarId),
    singleLine(name ?? ''),
    knownUntil ?? '',
    instantText(updatedAt),
    singleLine(by.name ?? by.sub),
    changing ? 'jobs are being replanned' : '',
  ]);
  return table(
    [
      'ID',
      texts('NAME'),
      'KNOWN UNTIL',
      { head: 'CHANGED (UTC)', spare: 2 },
      { ...texts('BY'), spare: 1 },
      '',
    ],
    rows,
  );
}

function calendarText(calendar: Calendar): string {
  const { users, hasMoreUsers } = calendar;
  const usedBy =
    users.length === 0 ? 'no job' : users.map((id) => plain(id)).join(' ') + (hasMoreUsers ? ' …' : '');
  return `${contentText(calendar)}\nused by ${usedBy}\n`;
}

function contentText(calendar: CalendarDefinition): string {
  const { name, timezone, weekdays = [], dates = [], yearly = [] } = calendar;
  const end = endText(calendar);
  const lines = [
    ...(name === undefined ? [] : [plain(name)]),
    `time zone: ${timezone === undefined ? 'that of each schedule' : plain(timezone)}`,
    ...(weekdays.length > 0 ? [`each week: ${weekdays.join(' ')}`] : []),
    ...(yearly.length > 0 ? [`every year: ${yearly.map((date) => plain(date)).join(' ')}`] : []),
    ...dates.map((date) =>
      typeof date === 'string'
        ? `  ${plain(date)}`
        : `  ${plain(date.from)}${date.to === date.from ? '' : ` to ${plain(date.to)}`}  ${plain(date.note ?? '')}`.trimEnd(),
    ),
    ...(end === undefined ? [] : [end]),
  ];
  return lines.join('\n');
}
