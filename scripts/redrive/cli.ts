import { setTimeout as sleep } from 'node:timers/promises';

import { SQSClient } from '@aws-sdk/client-sqs';

import { readRunFile } from '../../local/run/run-file';
import { flagsOf, runCommand, UsageError } from '../command';
import { deadLettersOf, redrive } from './redrive';

const USAGE = `Moves dead letters back to the queues they came from.

  npm run redrive -- [flags]

  --url URL         URL of the local run (default: http://127.0.0.1:8787)
  --stack NAME      use this stack in AWS instead, with the credentials and region of your environment
  --queue TEXT      only dead-letter queues whose name contains this text
  --per-second N    at most this many messages a second for each queue, 1 to 500
  --dry-run         list the dead letters, move nothing
  --help            print this help

Exit codes: 0 all moved, 1 some not moved, 2 wrong flags.
`;
const DEFAULT_URL = 'http://127.0.0.1:8787';
const POLL_MS = 500;

async function main(args: string[]): Promise<void> {
  const values = flagsOf(args, OPTIONS);
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const perSecond = values['per-second'] === undefined ? undefined : Number(values['per-second']);
  if (perSecond !== undefined && !(Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= 500))
    throw new UsageError(`--per-second is ${values['per-second']}; expected a whole number from 1 to 500`);
  if (values.stack !== undefined && values.url !== undefined)
    throw new UsageError('--url and --stack exclude each other');

  const { sqs, stackName } = values.stack === undefined ? local(values.url) : deployed(values.stack);
  try {
    const all = await deadLettersOf(sqs, stackName);
    if (all.length === 0) throw new Error(`no dead-letter queue has a name that starts with ${stackName}`);
    const chosen = all.filter(({ name }) => name.includes(values.queue ?? ''));
    if (chosen.length === 0)
      throw new UsageError(
        `--queue is ${values.queue}; expected a part of one of these names: ${all.map(({ name }) => name).join(', ')}`,
      );
    const full = chosen.filter(({ messages }) => messages > 0);
    if (full.length === 0) process.stdout.write('no dead letters\n');
    for (const queue of full) {
      if (values['dry-run']) {
        process.stdout.write(`${queue.name}  ${queue.messages} messages, from ${queue.sources.join(', ')}\n`);
        continue;
      }
      const { moved, status } = await redrive(sqs, queue, { perSecond, wait: () => sleep(POLL_MS) });
      process.stdout.write(`${queue.name}  ${moved} of ${queue.messages} moved  ${status}\n`);
      if (status !== 'COMPLETED') process.exitCode = 1;
    }
  } finally {
    sqs.destroy();
  }
}

const OPTIONS = {
  url: { type: 'string' },
  stack: { type: 'string' },
  queue: { type: 'string' },
  'per-second': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const deployed = (stackName: string) => ({ sqs: new SQSClient(), stackName });

function local(url = DEFAULT_URL) {
  const run = URL.canParse(url) ? readRunFile(url) : undefined;
  if (!run)
    throw new UsageError(
      `--url is ${url}; no local run of this checkout listens there (use --stack for AWS)`,
    );
  const { awsEndpointUrl: endpoint, region, operator: credentials, stackName } = run;
  return { sqs: new SQSClient({ endpoint, region, credentials }), stackName };
}

runCommand('redrive', main);
