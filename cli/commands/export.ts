import { type Command, Option } from 'commander';

import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { exportToAws } from '../export/eventbridge/translate';
import { type JobsFile, jobsFileOf, jobsFileText } from '../export/jobs-file';
import { readApi, readJobs, readProject } from '../export/read-project';
import { writePrivateFile } from '../private-file';
import type { Run } from '../run';
import { plural } from '../terminal/plural';
import { jsonText, singleLine } from '../terminal/printable';

const OUT = 'write to a file that only you may read (default: stdout)';

interface JsonFlags {
  format: 'json' | 'yaml';
  out?: string;
}

interface EventBridgeFlags {
  roleArn: string;
  group: string;
  out?: string;
}

export function addExportCommands(program: Command, run: Run): void {
  const exports = program
    .command('export')
    .description('Export the jobs of the project: as a file for apply, or for EventBridge Scheduler.');

  exports
    .command('json')
    .description('Export jobs, calendars and notifications as a file for plan and apply.')
    .addOption(new Option('--format <format>', 'form of the file').choices(['json', 'yaml']).default('json'))
    .option('--out <file>', OUT)
    .addHelpText(
      'after',
      `
Applied to an empty project, the file gives the same jobs. Fields with their defaults are left out, and so are
completed jobs. Values of secrets are never in it: a definition names them. What has to be there before the file is
applied, and what counts anew, is printed beside it. Notifications need a token with project:admin.

Examples:
  quarterjack export json --out jobs.json
  quarterjack export json --format yaml --out jobs.yaml && quarterjack plan jobs.yaml
  quarterjack export json --project old | quarterjack apply - --project new --yes`,
    )
    .action(run(exportJson));

  exports
    .command('eventbridge')
    .description(
      'Export jobs as schedules of EventBridge Scheduler, as aws scheduler create-schedule takes them.',
    )
    .requiredOption('--role-arn <arn>', 'role that EventBridge Scheduler takes to call the targets')
    .option('--group <name>', 'group of the schedules', 'default')
    .option('--out <file>', OUT)
    .addHelpText(
      'after',
      `
A job that does what no schedule of AWS does is not exported, and named with the reason; the exit code is then 1. What
differs there is a note. Nothing changes in AWS or here: pause the jobs before you create the schedules.

Examples:
  quarterjack export eventbridge --role-arn arn:aws:iam::111122223333:role/scheduler --out schedules.json
  jq -c '.Schedules[]' schedules.json | while read -r one; do aws scheduler create-schedule --cli-input-json "$one"; done`,
    )
    .action(run(exportEventBridge));
}

async function exportJson(context: Context, { format, out }: JsonFlags): Promise<ExitCode> {
  const project = await readProject(context.client());
  const file = jobsFileOf(project);
  writeResult(context, jobsFileText(file, format), out, plural(project.jobs.length, 'job'));
  sayCompleted(context, project.completed);
  sayNotes(context, file);
  if (project.notifications !== undefined) return ExitCode.ok;
  context.say('Left out: the notifications, for which the token needs the scope project:admin.');
  return ExitCode.failed;
}

async function exportEventBridge(context: Context, flags: EventBridgeFlags): Promise<ExitCode> {
  const { roleArn, group, out } = flags;
  if (!/^arn:[\w-]+:iam::\d{12}:role\/\S+$/.test(roleArn))
    throw new CliError(
      `--role-arn is ${JSON.stringify(roleArn)}; expected the ARN of a role that EventBridge Scheduler may take`,
    );
  if (!/^[\w.-]{1,64}$/.test(group))
    throw new CliError(
      `--group is ${JSON.stringify(group)}; expected 1 to 64 letters, digits, ".", "_" or "-"`,
    );
  const client = context.client();
  const [{ jobs, completed }, api] = [await readJobs(client), await readApi(client)];
  const { Schedules, notes, refused } = exportToAws(jobs, { roleArn, group, nowMs: context.io.nowMs(), api });
  const content = context.json && out === undefined ? { Schedules, notes, refused } : { Schedules };
  writeResult(context, jsonText(content), out, plural(Schedules.length, 'schedule'));
  for (const { jobId, reason } of refused) context.say(`Not exported: ${jobId}: ${singleLine(reason)}`);
  for (const text of new Set(notes.map((note) => note.text))) {
    const jobIds = notes.filter((note) => note.text === text).map(({ jobId }) => jobId);
    context.say(`Note: ${singleLine(text)}: ${jobIds.join(', ')}`);
  }
  sayCompleted(context, completed);
  return refused.length > 0 ? ExitCode.failed : ExitCode.ok;
}

/** To stdout, or to a file: targets may have headers with credentials. */
function writeResult(context: Context, text: string, out: string | undefined, what: string): void {
  if (out === undefined) {
    context.out(text);
    return;
  }
  writePrivateFile(out, text);
  context.say(`Wrote ${what} to ${out}.`);
}

function sayCompleted(context: Context, completed: readonly string[]): void {
  if (completed.length > 0)
    context.say(`Left out, since nothing of them is left to run: ${completed.join(', ')}`);
}

function sayNotes(context: Context, { needed, notes }: JobsFile): void {
  const { secrets, concurrencyKeys } = needed;
  if (secrets.length > 0)
    context.say(`Needs these secrets (quarterjack secrets set NAME): ${secrets.join(', ')}`);
  if (concurrencyKeys.length > 0)
    context.say(
      `Needs these concurrency keys (quarterjack concurrency-keys set KEY): ${singleLine(concurrencyKeys.join(', '))}`,
    );
  for (const { text, jobIds } of notes) context.say(`Note: ${text}: ${jobIds.join(', ')}`);
}
