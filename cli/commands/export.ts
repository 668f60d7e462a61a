import { type Command, Option } from 'commander';

import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import { type JobsFile, jobsFileOf, jobsFileText } from '../export/jobs-file';
import { readProject } from '../export/read-project';
import { writePrivateFile } from '../private-file';
import type { Run } from '../run';
import { plural } from '../terminal/plural';
import { singleLine } from '../terminal/printable';

interface JsonFlags {
  format: 'json' | 'yaml';
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
    .option('--out <file>', 'write to a file that only you may read (default: stdout)')
    .addHelpText(
      'after',
      `
Applied to an empty project, the file gives the same jobs. Fields with their defaults are left out, and so are
completed jobs. Values of secrets are never in it: a definition names them. What has to be there before the file is
applied, and what counts anew, is printed beside it. Notifications need a token with project:admin.

Examples:
  quarterjack export json --out jobs.json
  quarterjack export json --format yaml --out jobs.yaml && quarterjack plan jobs.yaml
  quarterjack export json --project old | quarterjack apply - --project new`,
    )
    .action(run(exportJson));
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
