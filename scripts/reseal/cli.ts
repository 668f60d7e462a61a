import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { systemClock } from '../../lambdas/core/clock/system-clock';
import { systemRandom } from '../../lambdas/core/clock/system-random';
import { resealProject } from '../../lambdas/core/delivery/secrets/reseal';
import { documentsOf } from '../../lambdas/core/platform/clients';
import { secretsManagerKeys } from '../../lambdas/core/platform/secrets-manager-secret';
import { dynamoSecretStore, projectsWithSecrets } from '../../lambdas/core/store/dynamo/dynamo-secret-store';
import { readRunFile } from '../../local/run/run-file';
import { flagsOf, messageOf, runCommand, UsageError } from '../command';

const USAGE = `Seals all secrets of all projects with the newest version of the deployment's secret.

  npm run reseal -- [flags]

  --url URL      URL of the local run (default: http://127.0.0.1:8787)
  --stack NAME   use this stack in AWS instead, with the credentials and region of your environment
  --help         print this help

Exit codes: 0 all resealed, 1 a value could not be opened or stored, 2 wrong flags.
`;
const DEFAULT_URL = 'http://127.0.0.1:8787';

/** Names that the environment of the API's function has. */
interface Names {
  JOBS_TABLE: string;
  EXECUTIONS_TABLE: string;
  SIGNING_SECRET_ARN: string;
}

async function main(args: string[]): Promise<void> {
  const { help, url, stack } = flagsOf(args, OPTIONS);
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  if (stack !== undefined && url !== undefined) throw new UsageError('--url and --stack exclude each other');
  const { names, client } = stack === undefined ? local(url) : await deployed(stack);
  const documents = documentsOf(new DynamoDBClient(client));
  const access = (table: string) => ({ documents, table, clock: systemClock, random: systemRandom });
  const jobs = access(names.JOBS_TABLE);
  const secrets = dynamoSecretStore(access(names.EXECUTIONS_TABLE), jobs);
  const keys = secretsManagerKeys(names.SIGNING_SECRET_ARN, systemClock, new SecretsManagerClient(client));
  const counts = { projects: 0, resealed: 0 };
  for await (const project of projectsWithSecrets(jobs)) {
    counts.projects += 1;
    try {
      counts.resealed += await resealProject(project, { secrets, keys, random: systemRandom });
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`reseal: project ${JSON.stringify(project)}: ${messageOf(error)}\n`);
    }
  }
  const { version } = await keys.current();
  process.stdout.write(
    `${counts.resealed} rows of ${counts.projects} projects resealed with version ${version}\n`,
  );
}

const OPTIONS = {
  url: { type: 'string' },
  stack: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

type Environment = Readonly<Record<string, string>>;

/** The API's function is the one that has quotas and the secret. */
function namesIn(environments: readonly Environment[]): Names | undefined {
  const isApi = (env: Environment) => 'TICK_SCHEDULE' in env && 'SIGNING_SECRET_ARN' in env;
  return environments.find(isApi) as Names | undefined;
}

async function deployed(stackName: string) {
  const environments: Environment[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient() }, {}))
    for (const { FunctionName = '', Environment: env } of Functions)
      if (FunctionName.startsWith(`${stackName}-`)) environments.push(env?.Variables ?? {});
  const names = namesIn(environments);
  if (!names) throw new UsageError(`--stack is ${stackName}; no stack of that name has an API`);
  return { names, client: {} };
}

function local(url = DEFAULT_URL) {
  const run = URL.canParse(url) ? readRunFile(url) : undefined;
  const names = run && namesIn(run.functions.map(({ environment }) => environment));
  if (!names)
    throw new UsageError(
      `--url is ${url}; no local run of this checkout listens there (use --stack for AWS)`,
    );
  const { awsEndpointUrl: endpoint, region, operator: credentials } = run;
  return { names, client: { endpoint, region, credentials } };
}

runCommand('reseal', main);
