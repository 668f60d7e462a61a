import { LocalRunError, messageOf } from './run/errors';
import { COMMANDS, parseFlags, USAGE } from './run/flags';
import { openBrowser } from './run/open-browser';
import { startProgress } from './run/start-progress';
import { stopWithNpm } from './run/stop-with-npm';
import { connectionTo, pasteText } from './run/what-to-paste';
import type { LocalRun } from './start';

/** With `--json`, stdout has one line, and people read stderr: with `--quiet`, errors alone. */
const visible = process.argv.includes('--json') ? process.stderr : process.stdout;
const said: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.argv.includes('--quiet')
  ? { write: () => true, isTTY: false }
  : visible;
const progress = startProgress(said);
// A terminal that was closed, or a pipe to a program that has ended, does not keep a run from stopping.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

async function main(args: string[]): Promise<void> {
  const options = parseFlags(args);
  if (!options) {
    process.stdout.write(USAGE);
    return;
  }
  progress.step('loading the program');
  // Loaded only now: it takes seconds, in which the terminal would show nothing.
  const { start } = await import('./start.js');
  const run = await start({
    ...options,
    onStep: progress.step,
    out: (line) => print(said, line),
    err: (line) => print(process.stderr, line),
    onFailure(error) {
      print(process.stderr, `quarterjack: ${error.message}`);
      process.exit(1);
    },
  });
  stopOnSignals(run);
  const readyMs = performance.now();
  progress.clear();
  const connection =
    options.json || options.to !== undefined
      ? await connectionTo(run, await run.ownerToken(), options.to)
      : undefined;
  if (options.json) process.stdout.write(`${JSON.stringify(connection)}\n`);
  said.write(welcome(run, { ephemeral: options.dataDir === undefined, readyMs }));
  if (connection && options.to !== undefined) said.write(pasteText(connection));
  said.write('\nStop with Ctrl-C.\n');
  if (!options.open) return;
  if (run.consoleUrl === undefined)
    print(process.stderr, 'quarterjack: --open has no effect: the stack has no console');
  else
    openBrowser(run.consoleUrl, (reason) =>
      print(process.stderr, `quarterjack: the console cannot be opened: ${reason}`),
    );
}

function print(output: typeof said, line: string): void {
  progress.clear();
  output.write(`${line}\n`);
}

/** The first signal stops the run in order, the second one at once. */
function stopOnSignals(run: LocalRun): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    print(said, 'Stopping. A second Ctrl-C stops at once.');
    run.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  stopWithNpm(() => {
    if (!stopping) stop();
  });
}

const welcome = (
  { url, consoleUrl, awsEndpointUrl, dataDir, logDir, signInCode }: LocalRun,
  { ephemeral, readyMs }: { ephemeral: boolean; readyMs: number },
): string => `
Quarterjack listens on ${url}
  ready after  ${(readyMs / 1_000).toFixed(1)} s
  console      ${consoleUrl ?? 'none in this stack'}
  data         ${ephemeral ? 'in memory, deleted when this run ends' : dataDir}
  logs         ${logDir}
  AWS endpoint ${awsEndpointUrl}
  pages        ${url}/_local/
  dashboard    ${url}/_local/dashboard
  events       ${url}/_local/events
  sent to AWS  ${url}/_local/elsewhere
  sign-in code ${signInCode}, which the sign-in page asks for

Create a token, and a job that runs in ten seconds:

  TOKEN=$(${COMMANDS.token} --user alice)
  curl -sS ${url}/v1/jobs -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"schedule":{"type":"delay","delay":"10s"},"target":{"type":"http","url":"http://127.0.0.1:9000/hook"}}'
`;

/** Prints one line for an error that the user can fix, and the stack trace of any other. */
function fail(error: unknown): void {
  const text =
    error instanceof LocalRunError ? error.message : error instanceof Error ? error.stack : messageOf(error);
  print(process.stderr, `quarterjack: ${text}`);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
