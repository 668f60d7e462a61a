import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { flagsOf, runCommand, UsageError } from '../command';
import { concurrencyOf, type Template } from './concurrency';
import { memoryWarning, reservedBy, roomOf } from './room';

const USAGE = `Compares the concurrency that a stack may use with the quota of the account.

  npx cdk synth --quiet -c stage=dev && npm run preflight -- --stage dev

  --stage NAME   the stage, synthesized before (default: dev)
  --help         print this help

It uses the credentials and region of your environment, which need lambda:GetAccountSettings,
lambda:ListFunctions and lambda:GetFunctionConcurrency.
Exit codes: 0 the quota is enough, 1 it is not, 2 wrong flags or no template.
`;

async function main(args: string[]): Promise<void> {
  const { stage, help } = flagsOf(args, OPTIONS);
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  const { queues, reserved, needed, largestMb } = concurrencyOf(templateOf(stage));
  const lambda = new LambdaClient();
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
    const { quota, elsewhere, room } = roomOf(AccountLimit, await reservedBy(lambda, `Quarterjack-${stage}`));
    const isEnough = room >= needed;
    process.stdout.write(
      `stage ${stage}: queues may start ${queues} executions at once; ${reserved} are reserved for functions\n` +
        `quota of the account and region ${quota}; other stacks reserve ${elsewhere} of it\n` +
        `needed ${needed}, left ${room}: ${isEnough ? 'enough' : 'too low'}\n`,
    );
    const warning = memoryWarning(largestMb);
    if (warning !== undefined) process.stdout.write(`${warning}\n`);
    if (isEnough) return;
    process.stdout.write(
      'Request a higher quota before you deploy: Service Quotas, AWS Lambda, Concurrent executions.\n',
    );
    process.exitCode = 1;
  } finally {
    lambda.destroy();
  }
}

const OPTIONS = {
  stage: { type: 'string', default: 'dev' },
  help: { type: 'boolean', default: false },
} as const;

function templateOf(stage: string): Template {
  const file = join(__dirname, '../../cdk.out', `Quarterjack-${stage}.template.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Template;
  } catch (cause) {
    throw new UsageError(`no template of stage ${stage}; run npx cdk synth --quiet -c stage=${stage} first`, {
      cause,
    });
  }
}

runCommand('preflight', main);
