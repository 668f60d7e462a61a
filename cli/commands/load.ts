import type { Command } from 'commander';

import type { Load } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { addJobFilterFlags, type JobFilterFlags, jobFilterOf } from '../job-filter-flags';
import type { Run } from '../run';
import { rangeOf } from '../time-flags';
import { loadMap, MINUTE_MS, quietestNear } from './load-map';

interface LoadFlags extends JobFilterFlags {
  from?: string;
  to?: string;
  near?: string;
}

const WITHIN_MINUTES = 10;

export function addLoadCommand(program: Command, run: Run): void {
  addJobFilterFlags(
    program.command('load').description('Show how many occurrences are planned in each minute.'),
  )
    .option('--from <time>', 'the first minute (default: the current minute)')
    .option('--to <time>', 'minutes before this time, at most 7 days later (default: 24 hours)')
    .option(
      '--near <HH:MM>',
      `name the quietest minute within ${WITHIN_MINUTES} minutes of this time, in UTC`,
    )
    .addHelpText(
      'after',
      `
One line is an hour, in UTC. The darker a place, the more is planned there. On a narrow terminal, a place
means several minutes. Manual runs and retries are not planned, so they are not counted.

Examples:
  quarterjack load
  quarterjack load --near 09:00
  quarterjack load --tag team:billing --to 'in 3d' --json | jq '.counts | max'`,
    )
    .action(run(showLoad));
}

async function showLoad(context: Context, { from, to, near, ...flags }: LoadFlags): Promise<void> {
  const minuteOfDay = near === undefined ? undefined : minuteOfDayOf(near);
  const load = await context
    .client()
    .load({ ...rangeOf({ from, to }, context.typedAt()), ...jobFilterOf(flags) });
  if (minuteOfDay === undefined) {
    return context.print(load, () => loadMap(load, context.width ?? 80, context.style));
  }
  const quietest = quietestNear(load, minuteOfDay, WITHIN_MINUTES);
  if (!quietest) throw new CliError(`--near is ${near}: no minute near it lies between --from and --to`);
  context.print({ ...quietest, from: load.from, to: load.to }, () => nearText(near!, quietest, load));
}

function minuteOfDayOf(text: string): number {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour === undefined)
    throw new CliError(`--near is ${JSON.stringify(text)}; expected a time from 00:00 to 23:59`);
  return Number(hour) * 60 + Number(minute);
}

function nearText(
  near: string,
  { at, count, countThere }: NonNullable<ReturnType<typeof quietestNear>>,
  { from, to }: Load,
): string {
  const days = Math.ceil((Date.parse(to) - Date.parse(from)) / (1_440 * MINUTE_MS));
  const times = days === 1 ? '' : ` on ${days} days`;
  const there = countThere === undefined || at === near ? '' : `; ${near} has ${countThere}`;
  return `Quietest within ${WITHIN_MINUTES} minutes of ${near} UTC: ${at}, with ${count} planned${times}${there}.\n`;
}
