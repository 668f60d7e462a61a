import type { Command } from 'commander';

import { type Explanation, NotFoundError, type Quarterjack } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import type { Run } from '../run';
import { timeZoneOf } from '../schedule-text';
import type { Style } from '../terminal/style';
import { fields, plain } from '../terminal/table';
import { bothTimes } from '../terminal/times';
import { instantIn } from '../time-flags';

interface WhyFlags {
  at?: string;
  timezone?: string;
}

export function addWhyCommand(program: Command, run: Run): void {
  program
    .command('why <jobId>')
    .description('Explain why a job ran, did not run, or will run at a time. Works for deleted jobs too.')
    .option('--at <time>', 'the due time, in the time zone of the schedule (default: the last due time)')
    .option('--timezone <zone>', 'the time zone of --at, instead of that of the schedule')
    .addHelpText(
      'after',
      `
✓ speaks for a run, ✗ against one, and ? is not known any more.

Examples:
  quarterjack why report
  quarterjack why report --at 'yesterday 09:30'
  quarterjack why report --at 2026-11-17T08:30:00Z --json | jq -r .verdict`,
    )
    .action(
      run(async (context: Context, flags: WhyFlags, jobId: string) => {
        const client = context.client();
        const zone = flags.timezone ?? (await zoneOfJob(jobId, client));
        const explanation = await client.jobs.explain(jobId, instantOf(context, flags, zone));
        context.print(explanation, () => explanationText(explanation, zone, context));
      }),
    );
}

/** The instant of `--at`; undefined without it. */
function instantOf(
  context: Context,
  { at, timezone }: WhyFlags,
  zone: string | undefined,
): string | undefined {
  if (at === undefined) return undefined;
  if (timezone !== undefined && /(Z|[+-]\d\d:\d\d)$/i.test(at.trim()))
    throw new CliError('--at has an offset, so --timezone has no effect: leave it out');
  return instantIn('--at', at, context.typedAt(zone ?? 'UTC'));
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
    return `${markOf(holds, style)} ${code.padEnd(width)}  ${plain(text)}${known}\n`;
  });
  return `${style.strong(plain(sentence))}\n\n${head}\n${lines.join('')}`;
}

function markOf(holds: boolean | null, style: Style): string {
  if (holds === null) return style.warn('?');
  return holds ? style.good('✓') : style.bad('✗');
}
