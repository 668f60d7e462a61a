import { readText } from '../../read-definition';
import { readEnvFile } from '../../schedules-as-code/variables';
import type { Connection } from './local-run';

type Environment = Record<string, string | undefined>;

/**
 * What a jobs program has: the environment of this command, which comes before the file, as in Node.js. Where
 * it finds the API is always the local run. Throws a `CliError` for a file that cannot be read.
 */
export const environmentOf = (
  own: Environment,
  envFile: string | undefined,
  { url, token, secret }: Pick<Connection, 'url' | 'token' | 'secret'>,
): Environment => ({
  ...variablesIn(envFile),
  ...own,
  QUARTERJACK_URL: url,
  QUARTERJACK_TOKEN: token,
  QUARTERJACK_SECRET: secret,
});

export const variablesIn = (envFile: string | undefined): Environment =>
  envFile === undefined ? {} : Object.fromEntries(readEnvFile(readText(envFile), envFile));
