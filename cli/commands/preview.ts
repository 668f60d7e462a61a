import type { Command } from 'commander';

import type { Schedule } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import type { Run } from '../run';
import { scheduleOf } from '../schedule-text';
import { texts } from '../terminal/table';
import { instantText, withWeekday } from '../terminal/times';
import { instantIn } from '../time-flags';

interface PreviewFlags {
  timezone?: string;
  count: string;
  from?: string;
}

export function addPreviewCommand(program: Command, run: Run): void {
  program
    .command('preview <schedule>')
    .description('Show when a schedule would fire, and where a clock change moves or repeats a time.')
    .option('--timezone <zone>', 'time zone, such as Europe/Berlin (default: UTC)')
    .option('--count <n>', 'number of times to show, 1 to 100', '10')
    .option('--from <time>', 'start from this time, in the time zone of the schedule (default: now)')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack preview '30 9 * * MON-FRI' --timezone Europe/Berlin
  quarterjack preview '0 0 L * *' --count 12
  quarterjack preview '30 2 * * *' --timezone America/New_York --from 2027-03-13
  quarterjack preview 'every 90s'
  quarterjack preview 'cron(0 9 ? * MON-FRI *)'`,
    )
    .action(run(showPreview));
}

async function showPreview(
  context: Context,
  { timezone, count, from }: PreviewFlags,
  text: string,
): Promise<void> {
  if (!/^\d{1,3}$/.test(count)) throw new CliError(`--count is ${JSON.stringify(count)}; expected 1 to 100`);
  const schedule = scheduleOf(text, { timezone }) as Schedule;
  const preview = await context.client().preview(schedule, {
    count: Number(count),
    from: from === undefined ? undefined : instantIn('--from', from, context.typedAt(timezone ?? 'UTC')),
  });
  context.print(preview, () => {
    const { dim, strong, warn } = context.style;
    const rows = preview.times.map(({ at, local, note }) => [
      withWeekday(local),
      dim(`${instantText(at)}Z`),
      note ? warn(note) : '',
    ]);
    return `${strong(preview.description)}\n\n${context.table(['LOCAL', { head: 'UTC', spare: 1 }, texts('')], rows)}`;
  });
}
