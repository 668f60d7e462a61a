import { Command } from 'commander';

import { addApplyCommands } from './commands/apply';
import { addCompletionCommand } from './commands/completion';
import { addExecutionCommands } from './commands/executions';
import { addImportCommands } from './commands/import';
import { addJobCommands } from './commands/jobs';
import { addLoginCommands } from './commands/login';
import { addOrderingKeyCommands } from './commands/ordering-keys';
import { addPreviewCommand } from './commands/preview';
import type { ExitCode } from './exit-codes';
import type { Io } from './io';
import { runOn } from './run';
import { version } from './version';

/** All commands; `end` gets the exit code of the one that ran. */
export function makeProgram(io: Io, end: (code: ExitCode) => void): Command {
  const run = runOn(io, end);
  const program = new Command('quarterjack')
    .description('Jobs on time: one-time, interval and cron jobs of a Quarterjack deployment.')
    .version(version())
    .option('--url <url>', 'of the API (QUARTERJACK_URL)')
    .option('--profile <name>', 'which login to use (QUARTERJACK_PROFILE)')
    .option('--json', 'answers as JSON, for scripts')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
    })
    .exitOverride()
    .showSuggestionAfterError()
    .helpCommand(true)
    .addHelpText(
      'after',
      `
Examples:
  quarterjack login --url http://127.0.0.1:8787 --token-command 'npm run --silent token -- --user alice'
  quarterjack preview '30 9 * * MON-FRI' --timezone Europe/Berlin
  quarterjack jobs create hello --schedule 'in 10s' --http http://127.0.0.1:9000/hook
  quarterjack executions tail hello
  quarterjack plan jobs.yaml && quarterjack apply jobs.yaml

Exit codes: 0 done, 1 failed, 2 changes (plan --detailed-exitcode), 3 wrong usage or file, 4 not signed in or not
allowed, 5 not found, 6 conflict, 7 no answer or busy, 8 the execution waited for did not succeed.`,
    );

  addLoginCommands(program, run);
  addJobCommands(program, run);
  addExecutionCommands(program, run);
  addOrderingKeyCommands(program, run);
  addPreviewCommand(program, run);
  addApplyCommands(program, run);
  addImportCommands(program, run);
  addCompletionCommand(program, run);
  return program;
}
