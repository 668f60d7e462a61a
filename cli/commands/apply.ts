import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError, ExitCode, exitCodeOf } from '../exit-codes';
import { interruptible } from '../interrupt';
import { addNote, collect, tagFilters } from '../flag-values';
import type { Run } from '../run';
import { type Hide, hideNothing } from '../schedules-as-code/hidden-values';
import { applyPlan } from '../schedules-as-code/apply';
import { askedBeside, type FileContent, FileError } from '../schedules-as-code/jobs-file';
import { readJobFiles } from '../schedules-as-code/read-files';
import { type VariableFlags, variablesOf } from '../schedules-as-code/variables';
import { isEmpty, makePlan, type Plan, sizeOf, strandsRuns } from '../schedules-as-code/plan';
import { planJson, planText } from '../schedules-as-code/plan-text';
import { progressOf } from '../terminal/progress';
import { addYes, confirmed, placeName } from './ask';

interface PlanFlags extends VariableFlags {
  prune?: string;
  detailedExitcode?: boolean;
}

interface ApplyFlags {
  prune?: string;
  yes?: boolean;
}

/** The flags of `apply`; an import that is applied has none of files. */
interface ApplyFileFlags extends ApplyFlags, VariableFlags {}

const PRUNE = 'also remove jobs that have this tag but are not in the files';

export function addApplyCommands(program: Command, run: Run): void {
  withVariables(program.command('plan <file...>'))
    .description('Show what apply would add, change and remove. Changes nothing.')
    .option('--prune <key:value>', PRUNE)
    .option('--detailed-exitcode', 'exit with code 2 if there is something to apply')
    .addHelpText(
      'after',
      `
A file is YAML or JSON (- for stdin). For a directory, all its files *.yaml, *.yml and *.json are read:

  defaults:
    tags: { managed-by: jobs.yaml }
  calendars:
    de-holidays: { timezone: Europe/Berlin, weekdays: [SAT, SUN], yearly: ["01-01"] }
  notifications:                     # the token needs project:admin
    ops: { on: [failed, recovered], target: { type: http, url: "{{ secrets.slack }}" }, format: slack }
  jobs:
    report:
      schedule: { type: cron, expression: 30 9 * * MON-FRI, timezone: Europe/Berlin }
      target: { type: http, url: "\${BASE_URL}/report" }

\${NAME} and \${NAME:-default} in a value are variables, from --var, --env-file or --env. $\${ is a literal
\${. Unquoted, a value that is one variable may become a number or a boolean.

Examples:
  quarterjack plan jobs.yaml --prune managed-by:jobs.yaml
  quarterjack plan jobs/ --env-file prod.env --var BASE_URL=https://example.com
  quarterjack plan jobs.yaml --detailed-exitcode || echo 'the jobs differ from the file'`,
    )
    .action(
      run(async (context: Context, { prune, detailedExitcode, ...flags }: PlanFlags, paths: string[]) => {
        const { variables, hide } = variablesOf(flags, context.io.env);
        const plan = await shownBy(hide, async () =>
          planOf(context, await readJobFiles(paths, context.io, variables), prune),
        );
        context.print(planJson(plan, hide), () => planText(plan, context.style, hide));
        return exitCodeOfPlan(plan, detailedExitcode);
      }),
    );

  addYes(withVariables(addNote(program.command('apply <file...>'))))
    .description('Make jobs, calendars and notifications match the files. Running it again changes nothing.')
    .option('--prune <key:value>', PRUNE)
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack apply jobs.yaml\n  quarterjack apply jobs/ more.yaml --env-file prod.env\n  quarterjack apply jobs.yaml --prune managed-by:jobs.yaml --yes',
    )
    .action(
      run(async (context: Context, { prune, yes, ...flags }: ApplyFileFlags, paths: string[]) => {
        const { variables, hide } = variablesOf(flags, context.io.env);
        return shownBy(hide, async () =>
          planAndApply(context, await readJobFiles(paths, context.io, variables), { prune, yes }, hide),
        );
      }),
    );
}

const withVariables = (command: Command): Command =>
  command
    .option('--var <NAME=value>', 'set a variable of the files; may be repeated', collect)
    .option('--env-file <file>', 'set variables from lines NAME=value; may be repeated', collect)
    .option('--env <NAME>', 'pass a variable of the environment to the files; may be repeated', collect);

/** A plan that would strand runs is never one that only says what is new. */
export const exitCodeOfPlan = (plan: Plan, isDetailed = false): ExitCode =>
  strandsRuns(plan) || (isDetailed && !isEmpty(plan)) ? ExitCode.changes : ExitCode.ok;

/** Plans what the files say, and applies it. */
export async function planAndApply(
  context: Context,
  content: FileContent,
  { prune, yes }: ApplyFlags,
  hide: Hide = hideNothing,
): Promise<ExitCode> {
  return showAndApply(context, await planOf(context, content, prune), { yes }, hide);
}

/** Shows a plan, asks for confirmation, then applies it. */
export async function showAndApply(
  context: Context,
  plan: Plan,
  { yes }: Pick<ApplyFlags, 'yes'>,
  hide: Hide = hideNothing,
): Promise<ExitCode> {
  if (!context.json) context.out(planText(plan, context.style, hide));
  if (!isEmpty(plan) && !(await confirmed(context, `Apply these changes to ${placeName(context)}?`, yes)))
    return ExitCode.failed;
  const total = sizeOf(plan);
  const progress = progressOf(context.io, 'apply', total);
  const { result: applied, isInterrupted } = await interruptible(context.io, (signal) =>
    applyPlan(context.client(), plan, { nowMs: context.io.nowMs(), step: progress.step, signal }),
  );
  progress.clear();
  const failed = applied.filter(({ outcome }) => outcome === 'failed');
  const outcomes = applied.map(({ jobId, outcome, error }) => ({
    jobId,
    outcome,
    ...(error ? { error: hide(error) } : {}),
  }));
  context.print({ outcomes, unchanged: plan.unchanged }, () =>
    total === 0 ? '' : `Done: ${applied.length - failed.length} of ${total}.\n`,
  );
  for (const { error } of failed) context.say(hide(`${error}`));
  if (isInterrupted) {
    context.say('Interrupted. Run the same command again: it does the rest.');
    return ExitCode.interrupted;
  }
  return failed[0] ? exitCodeOf(failed[0].cause) : ExitCode.ok;
}

/** Hides values also in what is said to be wrong with the files. */
async function shownBy<Result>(hide: Hide, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw new FileError(error.problems.map(hide));
    throw error;
  }
}

/** Asks the API what files would change. Throws a `FileError` for what it would reject. */
export async function planOf(
  context: Context,
  content: FileContent,
  prune: string | undefined,
): Promise<Plan> {
  if (prune !== undefined && !/^[^:=]+[:=]/.test(prune))
    throw new CliError(`--prune is ${JSON.stringify(prune)}; expected key:value`);
  const [tag] = tagFilters(prune === undefined ? undefined : [prune]) ?? [];
  const { jobs, calendars, notifications, problems } = content;
  const progress = progressOf(context.io, 'compare', jobs.length);
  try {
    const plan = await askedBeside(content, async () =>
      makePlan(context.client(), jobs, {
        prune: tag,
        calendars,
        notifications,
        problems,
        step: progress.step,
      }),
    );
    progress.clear();
    if (!plan.isChecked)
      context.say('Only the schedules were checked: to check the other fields, the token needs jobs:write.');
    return plan;
  } finally {
    progress.clear();
  }
}
