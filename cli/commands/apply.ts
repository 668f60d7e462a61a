import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError, ExitCode, exitCodeOf } from '../exit-codes';
import { interruptible } from '../interrupt';
import { addNote, tagFilters } from '../flag-values';
import { readStdin } from '../io';
import type { Run } from '../run';
import { readText } from '../read-definition';
import { applyPlan } from '../schedules-as-code/apply';
import { type FileJob, parseJobsFile } from '../schedules-as-code/jobs-file';
import { isEmpty, makePlan, type Plan } from '../schedules-as-code/plan';
import { planJson, planText } from '../schedules-as-code/plan-text';
import { progressOf } from '../terminal/progress';
import { agrees } from './ask';

interface PlanFlags {
  prune?: string;
  detailedExitcode?: boolean;
}

interface ApplyFlags {
  prune?: string;
  yes?: boolean;
}

const PRUNE = 'also remove jobs that have this tag but are not in the file';

export function addApplyCommands(program: Command, run: Run): void {
  program
    .command('plan <file>')
    .description('Show what apply would add, change and remove. Changes nothing.')
    .option('--prune <key:value>', PRUNE)
    .option('--detailed-exitcode', 'exit with code 2 if there is something to apply')
    .addHelpText(
      'after',
      `
The file is YAML or JSON (- for stdin):

  defaults:
    tags: { managed-by: jobs.yaml }
  jobs:
    report:
      schedule: { type: cron, expression: 30 9 * * MON-FRI, timezone: Europe/Berlin }
      target: { type: http, url: https://example.com/report }

Examples:
  quarterjack plan jobs.yaml --prune managed-by:jobs.yaml
  quarterjack plan jobs.yaml --detailed-exitcode || echo 'the jobs differ from the file'`,
    )
    .action(
      run(async (context: Context, { prune, detailedExitcode }: PlanFlags, path: string) => {
        const plan = await planOf(context, await jobsOf(context, path), prune);
        context.print(planJson(plan), () => planText(plan, context.style));
        return detailedExitcode && !isEmpty(plan) ? ExitCode.changes : ExitCode.ok;
      }),
    );

  addNote(program.command('apply <file>'))
    .description('Make the jobs match the file. Running it again changes nothing.')
    .option('--prune <key:value>', PRUNE)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack apply jobs.yaml\n  quarterjack apply jobs.yaml --prune managed-by:jobs.yaml --yes',
    )
    .action(
      run(async (context: Context, { prune, yes }: ApplyFlags, path: string) =>
        planAndApply(context, await jobsOf(context, path), { prune, yes }),
      ),
    );
}

/** Shows the plan, asks for confirmation, then applies it. */
export async function planAndApply(
  context: Context,
  jobs: readonly FileJob[],
  { prune, yes }: ApplyFlags,
): Promise<ExitCode> {
  const plan = await planOf(context, jobs, prune);
  if (!context.json) context.out(planText(plan, context.style));
  if (!isEmpty(plan) && !yes && !(await agrees(context.io, 'Apply these changes?'))) {
    context.say('Nothing was done.');
    return ExitCode.failed;
  }
  const total = plan.added.length + plan.changed.length + plan.removed.length;
  const progress = progressOf(context.io, 'apply', total);
  const { result: applied, isInterrupted } = await interruptible(context.io, (signal) =>
    applyPlan(context.client(), plan, { nowMs: context.io.nowMs(), step: progress.step, signal }),
  );
  progress.clear();
  const failed = applied.filter(({ outcome }) => outcome === 'failed');
  const outcomes = applied.map(({ jobId, outcome, error }) => ({
    jobId,
    outcome,
    ...(error ? { error } : {}),
  }));
  context.print({ outcomes, unchanged: plan.unchanged }, () =>
    total === 0 ? '' : `Done: ${applied.length - failed.length} of ${total}.\n`,
  );
  for (const { error } of failed) context.say(`${error}`);
  if (isInterrupted) {
    context.say('Interrupted. Run the same command again: it does the rest.');
    return ExitCode.interrupted;
  }
  return failed[0] ? exitCodeOf(failed[0].cause) : ExitCode.ok;
}

async function jobsOf({ io }: Context, path: string): Promise<FileJob[]> {
  const text = path === '-' ? await readStdin(io) : readText(path);
  return parseJobsFile(text, path === '-' ? 'stdin' : path);
}

async function planOf(context: Context, jobs: readonly FileJob[], prune: string | undefined): Promise<Plan> {
  if (prune !== undefined && !/^[^:=]+[:=]/.test(prune))
    throw new CliError(`--prune is ${JSON.stringify(prune)}; expected key:value`);
  const [tag] = tagFilters(prune === undefined ? undefined : [prune]) ?? [];
  const progress = progressOf(context.io, 'compare', jobs.length);
  try {
    const plan = await makePlan(context.client(), jobs, { prune: tag, step: progress.step });
    progress.clear();
    if (!plan.isChecked)
      context.say('Only the schedules were checked: to check the other fields, the token needs jobs:write.');
    return plan;
  } finally {
    progress.clear();
  }
}
