import { Command, type CommanderError, Help, Option } from 'commander';

import { addAdminCommands } from './commands/admin';
import { addApiCommand } from './commands/api';
import { addApplyCommands } from './commands/apply';
import { addAuditCommand } from './commands/audit';
import { addBackfillCommands } from './commands/backfills';
import { addCalendarCommands } from './commands/calendars';
import { addCompletionCommand } from './commands/completion';
import { addCostCommand } from './commands/cost';
import { addDefineCommand } from './commands/define';
import { addDeployCommand } from './commands/deploy';
import { addDevCommand } from './commands/dev';
import { addDoctorCommand } from './commands/doctor';
import { addEventCommands } from './commands/events';
import { addExecutionCommands } from './commands/executions';
import { addExportCommands } from './commands/export';
import { addFailuresCommand } from './commands/failures';
import { addHelpCommand, addNamingHelp } from './commands/help';
import { addIdentityCommands } from './commands/identity';
import { addImportCommands } from './commands/import';
import { addJobCommands } from './commands/jobs';
import { addKeyCommands } from './commands/keys';
import { addLoadCommand } from './commands/load';
import { addTokenCommand } from './commands/local-run';
import { addLoginCommands } from './commands/login';
import { addMcpCommand } from './commands/mcp';
import { addNotificationCommands } from './commands/notifications';
import { addOpenCommand } from './commands/open';
import { addConcurrencyKeyCommands } from './commands/concurrency-keys';
import { addOrderingKeyCommands } from './commands/ordering-keys';
import { addPingCommand } from './commands/ping';
import { addProjectPingCommands } from './commands/project-pings';
import { addPreviewCommand } from './commands/preview';
import { addQueueCommand } from './commands/queues';
import { addSecretCommands } from './commands/secrets';
import { addSigningSecretCommands } from './commands/signing-secrets';
import { addWaiting } from './commands/run-controls';
import { addTaskCommands } from './commands/tasks';
import { addTypesCommand } from './commands/types';
import { addVersionCommand } from './commands/version';
import { addUpcomingCommand } from './commands/upcoming';
import { addWhyCommand } from './commands/why';
import { addWorkCommands } from './commands/work';
import { addWorkflowCommands } from './commands/workflows';
import { CliError, ExitCode } from './exit-codes';
import { FORMATS } from './terminal/formats';
import type { Io } from './io';
import { type Run, runOn } from './run';
import { version } from './version';

/** The command line with all its commands. `end` is called with the exit code of the command that ran. */
export function makeProgram(io: Io, end: (code: ExitCode) => void): Command {
  const run = runOn(io, end);
  const program = new Command('quarterjack')
    .description('Schedule one-time, interval and cron jobs on a Quarterjack deployment.')
    .version(version(), '-V')
    .version(version(), '-v, --version')
    .option('--url <url>', 'URL of the API (QUARTERJACK_URL)')
    .option('--profile <name>', 'the profile to use (QUARTERJACK_PROFILE)')
    .option('-p, --project <name>', 'the project, for a token of several projects (QUARTERJACK_PROJECT)')
    .addOption(new Option('-o, --print <format>', 'how to print the result').choices(FORMATS))
    .option('--json', 'print JSON, for scripts: -o json')
    .option('-q, --quiet', 'no hints on stderr')
    .option('--debug', 'print each request on stderr, without secrets')
    .configureHelp({ showGlobalOptions: true, ...withoutAliases })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      outputError: () => undefined, // `main` prints every error
    })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  quarterjack login --url http://127.0.0.1:8787 --token-command 'quarterjack token --user alice'
  quarterjack preview '30 9 * * MON-FRI' --timezone Europe/Berlin
  quarterjack jobs create hello --schedule 'in 10s' --http http://127.0.0.1:9000/hook
  quarterjack executions tail hello
  quarterjack plan jobs.yaml && quarterjack apply jobs.yaml

Exit codes: 0 success, 1 failure, 2 changes to apply (plan --detailed-exitcode), 3 wrong usage or file, 4 not signed
in or not allowed, 5 not found, 6 conflict, 7 API did not respond or is unavailable, 8 awaited execution did not
succeed, 130 Ctrl-C.`,
    );

  program.options.find(({ short }) => short === '-V')?.hideHelp();
  addCommands(program, run);
  addHelpCommand(program);
  addNamingHelp(program);
  throwWithUsage(program);
  return program;
}

/** The older names of commands still work, and no help shows them. */
const withoutAliases = {
  subcommandTerm: (command: Command) => new Help().subcommandTerm(command).replace(/^([\w-]+)\|[\w-]+/, '$1'),
  commandUsage: (command: Command) => new Help().commandUsage(command).replace(/([\w-]+)\|[\w-]+/, '$1'),
};

/** A command line that cannot be parsed. Its cause is what commander says. */
export class UsageError extends CliError {
  constructor(
    cause: CommanderError,
    /** `quarterjack secrets set [options] <name>` */
    readonly usage: string,
  ) {
    super(cause.message.replace(/^error: /, ''), ExitCode.usage, { cause });
  }
}

/** `--help` and `--version` throw as well, with exit code 0. */
function throwWithUsage(command: Command): void {
  command.exitOverride((error) => {
    if (error.code.startsWith('commander.help') || error.code === 'commander.version') throw error;
    throw new UsageError(error, command.createHelp().commandUsage(command));
  });
  command.commands.forEach(throwWithUsage);
}

/** In the order in which the help lists them. */
function addCommands(program: Command, run: Run): void {
  addDevCommand(program, run);
  addTokenCommand(program);
  addLoginCommands(program, run);
  addIdentityCommands(program, run);
  addJobCommands(program, run);
  addExecutionCommands(program, run);
  addTaskCommands(program, run);
  addBackfillCommands(program, run);
  addWaiting(program, run);
  addWorkflowCommands(program, run);
  addEventCommands(program, run);
  addFailuresCommand(program, run);
  addWhyCommand(program, run);
  addUpcomingCommand(program, run);
  addLoadCommand(program, run);
  addOrderingKeyCommands(program, run);
  addConcurrencyKeyCommands(program, run);
  addSecretCommands(program, run);
  addCalendarCommands(program, run);
  addNotificationCommands(program, run);
  addPreviewCommand(program, run);
  addCostCommand(program, run);
  addApplyCommands(program, run);
  addDefineCommand(program, run);
  addDeployCommand(program, run);
  addImportCommands(program, run);
  addExportCommands(program, run);
  addWorkCommands(program, run);
  addPingCommand(program, run);
  addProjectPingCommands(program, run);
  addQueueCommand(program, run);
  addKeyCommands(program, run);
  addAuditCommand(program, run);
  addSigningSecretCommands(program, run);
  addAdminCommands(program, run);
  addOpenCommand(program, run);
  addApiCommand(program, run);
  addDoctorCommand(program, run);
  addMcpCommand(program, run);
  addTypesCommand(program, run);
  addVersionCommand(program, run);
  addCompletionCommand(program, run);
}
