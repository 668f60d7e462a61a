import type { Command } from 'commander';

import { type Explanation, NotFoundError, type Quarterjack } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import type { Run } from '../run';
import { timeZoneOf } from '../schedule-text';
import type { Style } from '../terminal/style';
import { fields, plain } from '../terminal/table';
import { bothTimes } from '../terminal/times';

interface WhyFlags {
  at: string;
  timezone?: string;
}

/** Date and time, with an offset or without one. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/i;
/** Before every due time. */
const LONG_AGO = '1970-01-01T00:00:00Z';
/** A step may quote a note of 500 characters. */
const LONGEST_TEXT = 1_000;

export function addWhyCommand(program: Command, run: Run): void {
  program
    .command('why <jobId>')
    .description('Explain why a job ran, did not run, or will run at a time. Works for deleted jobs too.')
    .requiredOption('--at <time>', 'the due time: local time of the schedule, or an instant with an offset')
    .option('--timezone <zone>', 'the time zone of --at, instead of that of the schedule')
    .addHelpText(
      'after',
      `
✓ speaks for a run, ✗ against one, and ? is not known any more.

Examples:
  quarterjack why report --at '2026-11-17 09:30'
  quarterjack why report --at 2026-11-17T08:30:00Z --json | jq -r .verdict`,
    )
    .action(
      run(async (context: Context, flags: WhyFlags, jobId: string) => {
        const client = context.client();
        const zone = flags.timezone ?? (await zoneOfJob(jobId, client));
        const explanation = await client.jobs.explain(jobId, await instantOf(flags, zone, client));
        context.print(explanation, () => explanationText(explanation, zone, context));
      }),
    );
}

/** The instant of `--at`. The API knows what local times mean, also where clocks change. */
async function instantOf(
  { at, timezone }: WhyFlags,
  zone: string | undefined,
  client: Quarterjack,
): Promise<string> {
  const [, date, time, offset] = DATE_TIME.exec(at.trim()) ?? [];
  if (date === undefined || time === undefined)
    throw new CliError(
      `--at is ${JSON.stringify(at)}; expected a local time such as "2026-11-17 09:30", or an instant such as ` +
        '2026-11-17T08:30:00Z',
    );
  const seconds = time.length === 5 ? `${time}:00` : time;
  if (offset !== undefined) {
    if (timezone === undefined) return `${date}T${seconds}${offset.toUpperCase()}`;
    throw new CliError('--at has an offset, so --timezone has no effect: leave it out');
  }
  const schedule = { type: 'at' as const, at: `${date}T${seconds}`, timezone: zone ?? 'UTC' };
  const { times } = await client.preview(schedule, { count: 1, from: LONG_AGO });
  const [first] = times;
  if (!first) throw new CliError(`--at is ${JSON.stringify(at)}; expected a time since 1970`);
  return first.at;
}

/** The time zone of the job's schedule; of a deleted job, of the last one that is kept. */
async function zoneOfJob(jobId: string, { jobs, changes }: Quarterjack): Promise<string | undefined> {
  try {
    return timeZoneOf((await jobs.get(jobId)).schedule);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const kept = await changes.list(jobId, { limit: 2 }).toArray(2);
    return timeZoneOf(kept.find(({ definition }) => definition)?.definition?.schedule);
  }
}

function explanationText(
  { sentence, at, verdict, steps, execution }: Explanation,
  zone: string | undefined,
  { style }: Pick<Context, 'style'>,
): string {
  const head = fields([
    ['at', bothTimes(at, zone)],
    ['verdict', verdict],
    ['execution', execution?.execId],
  ]);
  const width = Math.max(...steps.map(({ code }) => code.length));
  const lines = steps.map(({ code, holds, text, evidence }) => {
    const known = evidence ? `\n${' '.repeat(width + 4)}${style.dim(`from ${plain(evidence.text)}`)}` : '';
    return `${markOf(holds, style)} ${code.padEnd(width)}  ${plain(text, LONGEST_TEXT)}${known}\n`;
  });
  return `${style.strong(plain(sentence, LONGEST_TEXT))}\n\n${head}\n${lines.join('')}`;
}

function markOf(holds: boolean | null, style: Style): string {
  if (holds === null) return style.warn('?');
  return holds ? style.good('✓') : style.bad('✗');
}
