import { LocalRunError, messageOf } from './run/errors';
import { parseFlags, USAGE } from './run/flags';
import { type LocalRun, start } from './start';

async function main(args: string[]): Promise<void> {
  const options = parseFlags(args);
  if (!options) {
    process.stdout.write(USAGE);
    return;
  }
  const run = await start({
    ...options,
    onFailure(error) {
      process.stderr.write(`quarterjack: ${error.message}\n`);
      process.exit(1);
    },
  });
  stopOnSignals(run);
  process.stdout.write(welcome(run, options.dataDir === undefined));
}

/** The first signal stops the run in order, the second one at once. */
function stopOnSignals(run: LocalRun): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    run.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

const welcome = ({ url, awsEndpointUrl, dataDir }: LocalRun, ephemeral: boolean): string => `
Quarterjack listens on ${url}
  data         ${ephemeral ? 'in memory, deleted when this run ends' : dataDir}
  AWS endpoint ${awsEndpointUrl}
  dashboard    ${url}/_local/dashboard

Create a token, and a job that runs in ten seconds:

  TOKEN=$(npm run --silent token -- --user alice)
  curl -sS ${url}/v1/jobs -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"schedule":{"type":"delay","delay":"10s"},"target":{"type":"http","url":"http://127.0.0.1:9000/hook"}}'

Stop with Ctrl-C.
`;

/** Prints one line for an error that the user can fix, and the stack trace of any other. */
function fail(error: unknown): void {
  const text =
    error instanceof LocalRunError ? error.message : error instanceof Error ? error.stack : messageOf(error);
  process.stderr.write(`quarterjack: ${text}\n`);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
