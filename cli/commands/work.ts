import { hostname } from 'node:os';

import type { Command } from 'commander';

import { Worker, type WorkerEvent } from '../../client/worker';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { collect } from '../flag-values';
import type { StopSignal } from '../io';
import type { Run } from '../run';
import { machineNow } from '../work/clock';
import { eventJson, eventText } from '../work/event-text';
import { planOfCommand, planOfPayload } from '../work/plan-command';
import { runCommand } from '../work/run-command';
import { runWatchdog } from '../work/watchdog/run-watchdog';
import { startWatchdog, WATCHDOG_COMMAND } from '../work/watchdog/watchdog';
import { checkProgram, settingsOf, type WorkFlags, type WorkSettings } from '../work/work-flags';

export function addWorkCommands(program: Command, run: Run): void {
  addPayloadFlags(addWorkFlags(program.command('work [command...]')))
    .description('Run a command for each execution of a work queue, until Ctrl-C.')
    .addHelpText(
      'after',
      `
The payload comes on stdin as JSON. Exit code 0 is success, 75 a failure that may be retried, and so is any other
that --fatal-exit does not name. What the command writes is the log of the execution.

At the first Ctrl-C or SIGTERM the worker claims nothing more and waits for what runs. At the second, it ends that.

Examples:
  quarterjack work --queue warehouse -- ./load.sh
  quarterjack work --queue warehouse --concurrency 4 --fatal-exit 2,64-78 -- python3 load.py
  quarterjack work --queue host-1 --exec-payload --allow '/usr/local/bin/backup\\.sh( --full)?'`,
    )
    .action(run(work));
  program
    .command(WATCHDOG_COMMAND, { hidden: true })
    .description('Ends commands of a worker that has died. The worker starts it.')
    .action(run(() => runWatchdog()));
}

const addWorkFlags = (command: Command): Command =>
  command
    .requiredOption('--queue <name>', 'the work queue')
    .option('--concurrency <n>', 'how many commands may run at a time', '1')
    .option('--worker <name>', 'name of this worker in the history (default: host and process)')
    .option('--grace <duration>', 'from SIGTERM to SIGKILL, at most a third of heartbeatTimeout', '5s')
    .option('--poll <duration>', 'ask this often instead of waiting at the API: cheaper, and later')
    .option('--fatal-exit <codes>', 'exit codes after which no attempt follows, such as 2,64-78')
    .option('--once', 'end when nothing is due any more');

const addPayloadFlags = (command: Command): Command =>
  command
    .option('--exec-payload', 'run the command of each payload, as import crontab --queue makes them')
    .option('--allow <regex>', 'with --exec-payload: a whole command that may run; repeatable', collect)
    .option('--allow-shell', 'with --exec-payload: also commands that need a shell')
    .option('--allow-user <name>', 'with --exec-payload: a user to run as; repeatable', collect)
    .option(
      '--allow-env <name>',
      'with --exec-payload: a variable that payloads may set; repeatable',
      collect,
    );

async function work(context: Context, flags: WorkFlags, command: string[]): Promise<ExitCode> {
  if (process.platform === 'win32')
    throw new CliError('quarterjack work needs Linux or macOS; see docs/worker-languages.md for Windows');
  const { io } = context;
  const settings = settingsOf(flags, command);
  const { runs, concurrency } = settings;
  if ('command' in runs) checkProgram(runs.command[0] ?? '', io.env.PATH);
  const name = flags.worker ?? `${hostname()}/${process.pid}`.slice(-64);
  const connection = context.connection();
  const stops = new Stops(context);
  const watchdog = await startWatchdog(io.program, () => stops.watchdogDied());
  try {
    const { concurrency: count, graceMs, pollMs, fatalExits } = settings;
    const { note: _, surroundings, ...api } = connection;
    const worker = new Worker({
      ...api,
      queue: flags.queue,
      concurrency: count,
      graceMs,
      pollMs,
      name,
      surroundings: { ...surroundings, now: machineNow },
      onEvent: (event) => tell(context, event),
      handler: (one, running) =>
        runCommand(one, running, { planOf: planOf(settings, io.env), fatalExits, watchdog }),
    });
    stops.listen(worker);
    context.say(`Working on queue ${flags.queue} as ${name}, ${concurrency} at a time.`);
    await (flags.once ? worker.workOff() : worker.start());
    return stops.exitCode;
  } finally {
    stops.end();
    await watchdog.close();
  }
}

const planOf = ({ runs }: WorkSettings, env: Context['io']['env']) =>
  'command' in runs ? planOfCommand(runs.command, env) : planOfPayload(runs, env);

function tell(context: Context, event: WorkerEvent): void {
  if (context.json) return context.io.stdout.write(`${eventJson(event)}\n`) as void;
  const time = new Date(context.io.nowMs()).toISOString().slice(0, 19);
  context.out(`${time}Z  ${eventText(event, context.style)}\n`);
}

/** What ends a worker: signals, or the death of its watchdog. */
class Stops {
  exitCode: ExitCode = ExitCode.ok;
  private worker: Worker | undefined;
  private count = 0;
  private isUnwatched = false;
  private release = () => undefined as void;

  constructor(private readonly context: Context) {}

  listen(worker: Worker): void {
    this.worker = worker;
    this.release = this.context.io.onStop((signal) => this.stop(signal));
    if (this.isUnwatched) void worker.stop();
  }

  end(): void {
    this.release();
  }

  /** Without it, a death of this process would leave its commands alone. */
  watchdogDied(): void {
    this.isUnwatched = true;
    this.exitCode = ExitCode.failed;
    this.context.say('The watchdog has died: the worker ends what runs, and stops.');
    void this.worker?.stop();
  }

  private stop(signal: StopSignal): void {
    if (signal === 'SIGINT') this.exitCode = ExitCode.interrupted;
    if (++this.count === 1) {
      this.context.say(
        'No more claims. Waiting for what runs, and at most 20 s for the last claim; the next signal ends it.',
      );
      void this.worker?.drain();
    } else if (this.count === 2) {
      this.context.say('Ending what runs.');
      void this.worker?.stop();
    }
  }
}
