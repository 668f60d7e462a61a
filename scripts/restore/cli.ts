import { setTimeout as sleep } from 'node:timers/promises';

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';

import { systemClock } from '../../lambdas/core/clock/system-clock';
import { systemRandom } from '../../lambdas/core/clock/system-random';
import { ApiEnv } from '../../lambdas/core/contracts/env';
import { documentsOf } from '../../lambdas/core/platform/clients';
import { readMaintenance } from '../../lambdas/core/store/dynamo/deployment';
import { flagsOf, runCommand, UsageError } from '../command';
import { replaceRows } from './copy-rows';
import { checkStopped, staysIn, type TableName, TABLES, tablesOf, timeOf } from './plan';
import { restoreTable } from './point-in-time';

const USAGE = `Puts tables of a stack in AWS back to an earlier second. See docs/restore.md.

  npm run restore -- --stack NAME --to TIME [flags]

  --stack NAME    the stack, such as Quarterjack-prod
  --to TIME       the second, in RFC 3339: 2026-11-22T09:59:59Z
  --tables LIST   jobs alone, executions alone, or all three (default: all three)
  --copy          replace the rows of the stack's tables; without it, only the restored tables are made
  --help          print this help

It uses the credentials and region of your environment. With --copy, the deployment has to be in maintenance
mode. A repeated call continues.
Exit codes: 0 done, 1 failed, 2 wrong flags, or not in maintenance mode.
`;

async function main(args: string[]): Promise<void> {
  const { help, stack, to: time, tables: list, copy } = flagsOf(args, OPTIONS);
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  if (!stack) throw new UsageError('--stack is missing; expected the name of a stack');
  const to = timeOf(time, Date.now());
  const tables = tablesOf(list);
  const env = await environmentOf(stack);
  const client = new DynamoDBClient();
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const restored = new Map<TableName, string>();
  for (const name of tables) {
    print(`restoring ${name} as of ${to.toISOString()}; this takes minutes`);
    restored.set(name, await restoreTable(client, { table: env[TABLES[name].variable]!, to }, sleep));
    print(`  ${restored.get(name)}`);
  }
  if (!copy) {
    print('Compare the rows. Then stop the deployment, and call this again with --copy.');
    return;
  }
  await copyInto({ client, env, restored, print });
  print('Start the deployment: quarterjack admin start. Then delete the restored tables.');
}

async function copyInto(given: {
  client: DynamoDBClient;
  env: Readonly<Record<string, string>>;
  restored: ReadonlyMap<TableName, string>;
  print: (line: string) => void;
}): Promise<void> {
  const { client, env, restored, print } = given;
  const documents = documentsOf(client);
  const access = { documents, table: env.SCHEDULE_TABLE!, clock: systemClock, random: systemRandom };
  checkStopped(await readMaintenance(access), { horizonSec: Number(env.HORIZON_SEC), nowMs: Date.now() });
  if (restored.has('schedule')) await purge(env.EXECUTION_QUEUES!, print);
  for (const [name, table] of restored) {
    const { variable, key } = TABLES[name];
    const sides = { from: { documents, table }, to: { documents, table: env[variable]! } };
    const stays = staysIn(name, [...restored.keys()]);
    const { deleted, copied } = await replaceRows({ ...sides, key, stays }, sleep);
    print(`${name}: ${deleted} rows deleted, ${copied} copied`);
  }
}

/** Messages name executions that the tables no longer have. */
async function purge(queues: string, print: (line: string) => void): Promise<void> {
  const byPool = ApiEnv.shape.EXECUTION_QUEUES.parse(queues);
  const urls = new Set(Object.values(byPool).flatMap((byLane) => Object.values(byLane)));
  const sqs = new SQSClient();
  for (const QueueUrl of urls) await sqs.send(new PurgeQueueCommand({ QueueUrl }));
  print(`${urls.size} queues purged`);
}

/** The environment of the API's function names all tables and queues. */
async function environmentOf(stack: string): Promise<Readonly<Record<string, string>>> {
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient() }, {}))
    for (const { FunctionName = '', Environment } of Functions)
      if (FunctionName.startsWith(`${stack}-`) && 'TICK_SCHEDULE' in (Environment?.Variables ?? {}))
        return Environment!.Variables!;
  throw new UsageError(`--stack is ${JSON.stringify(stack)}; no stack of that name has an API`);
}

const OPTIONS = {
  stack: { type: 'string' },
  to: { type: 'string' },
  tables: { type: 'string' },
  copy: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

runCommand('restore', main);
