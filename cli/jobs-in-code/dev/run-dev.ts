import { Quarterjack } from '../../../client';
import type { Context } from '../../context';
import { ExitCode } from '../../exit-codes';
import { statusText } from '../../work/exit-outcome';
import { startWatchdog, type Watchdog } from '../../work/watchdog/watchdog';
import type { Companion } from './companion';
import { environmentOf } from './environment';
import { startJobsProgram } from './jobs-program';
import { keepPort, keptPort } from './kept-port';
import { type Connection, connectionOf, startLocalRun } from './local-run';
import { applyToRun, changesText, planOfJobs } from './registration';
import { type Relay, startRelay } from './relay';
import { Rounds } from './rounds';
import { SourceWatch } from './source-watch';
import { runToken } from './run-token';

export interface DevOptions {
  module: string;
  /** The module's absolute path. */
  path: string;
  source: string;
  isPaused: boolean;
  /** Absolute path of the file with further variables for the module. */
  envFile: string | undefined;
  /** Undefined: nothing is kept. */
  dataDir: string | undefined;
  /** Further flags of the local run. */
  runFlags: readonly string[];
}

/** What `dev` has started, and how it ends. */
interface Started {
  watchdog: Watchdog;
  relay: Relay;
  watch: SourceWatch;
  run: Companion;
  stop: AbortController;
}

/** Runs the system and the jobs of a module, until a signal, or until one of its own processes dies. */
export async function runDev(context: Context, options: DevOptions): Promise<ExitCode> {
  const { io } = context;
  const stop = new AbortController();
  let exitCode: ExitCode = ExitCode.ok;
  const fail = (why: string) => {
    if (stop.signal.aborted) return;
    exitCode = ExitCode.failed;
    context.say(why);
    stop.abort();
  };
  let stopNow = () => undefined as void;
  const release = io.onStop(() => {
    if (stop.signal.aborted) return stopNow();
    context.say('Stopping. A second Ctrl-C stops at once.');
    stop.abort();
  });
  const watchdog = await startWatchdog(io.program, () => fail('The watchdog has died.'));
  // With the same port, jobs that are kept stay as they are.
  const relay = await startRelay(options.dataDir === undefined ? 0 : keptPort(options.dataDir));
  const watch = new SourceWatch();
  const run = await startLocalRun(io, relay.url, runFlagsOf(options), watchdog);
  void run.exited.then((status) => {
    if (status.code === 0) stop.abort();
    else fail(`The local run has ended (${statusText(status)}).`);
  });
  try {
    const connection = await readyOrStopped(run, stop.signal);
    if (connection) {
      if (options.dataDir !== undefined) keepPort(options.dataDir, relay.port);
      const started = { watchdog, relay, watch, run, stop };
      const rounds = roundsOf(context, options, connection, started);
      stopNow = () => void Promise.all([rounds.kill(), run.end()]);
      context.say(welcome(connection, options));
      await rounds.run(() => context.json && context.io.stdout.write(`${JSON.stringify(connection)}\n`));
      await Promise.all([run.end(), rounds.end()]);
    }
    return exitCode;
  } finally {
    await run.end();
    watch.close();
    relay.close();
    await watchdog.close();
    release();
  }
}

const runFlagsOf = ({ dataDir, runFlags }: DevOptions): string[] => [
  ...(dataDir === undefined ? ['--ephemeral'] : ['--data', dataDir]),
  ...runFlags,
];

/** Undefined if it is to stop, or has ended and said why. */
async function readyOrStopped(run: Companion, signal: AbortSignal): Promise<Connection | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([connectionOf(run), stopped]);
}

function roundsOf(
  context: Context,
  options: DevOptions,
  connection: Connection,
  { watchdog, relay, watch, stop }: Started,
): Rounds {
  const { io } = context;
  const { module, path, source, isPaused, envFile, dataDir } = options;
  const { url, target } = connection;
  const token = runToken(io, connection.token, dataDir);
  const client = new Quarterjack({ ...io.connection, url, token });
  const stdout = context.json ? 2 : 1;
  const onLater = (files: readonly string[]) => watch.add(files);
  return new Rounds({
    module,
    async start() {
      const env = environmentOf(io.env, envFile, { ...connection, token: await token() });
      return startJobsProgram(io, { path, env, stdout, onLater }, watchdog);
    },
    async plan({ jobs }) {
      const plan = await planOfJobs(client, jobs, { module, source, target: target.url, isPaused });
      return async () => {
        await applyToRun(client, plan, io.nowMs());
        return changesText(plan);
      };
    },
    relay,
    watch,
    files: envFile === undefined ? [] : [envFile],
    nowMs: () => io.nowMs(),
    say: (line) => context.say(line),
    signal: stop.signal,
  });
}

const welcome = (
  { url, consoleUrl }: Connection,
  { dataDir, envFile, isPaused, source }: DevOptions,
): string =>
  [
    `Quarterjack listens on ${url}`,
    `  console      ${consoleUrl ?? 'none in this stack'}`,
    `  data         ${dataDir ?? 'in memory, deleted when this run ends'}`,
    `  variables    those of this terminal, ${envFile === undefined ? 'and of no file' : `then those of ${envFile}`}`,
    `  source       ${source}${isPaused ? ', all jobs paused' : ''}`,
    'Stop with Ctrl-C.',
  ].join('\n');
