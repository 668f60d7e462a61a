import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { CreateQueueCommand, DeleteQueueCommand, SQSClient } from '@aws-sdk/client-sqs';

import { readRunFile } from '../../../local/run/run-file';
import { UsageError } from '../../command';
import { startLocalReceiver } from '../receiver/local-receiver';
import { errorLinesIn, metricNamesIn } from './log-lines';
import type { EndEvent, LocalSite } from './site';
import { sharedOf } from './shared';
import { LOCAL_SIZES } from './sizes';

/**
 * The local run at `url`, which this checkout started. Throws a `UsageError` if there is none. `end` undoes
 * what the checks have made, and returns what is left behind.
 */
export function localSite(
  url: string,
  tokens: Pick<LocalSite, 'token' | 'idToken'>,
): LocalSite & { end(): Promise<string[]> } {
  const run = URL.canParse(url) ? readRunFile(url) : undefined;
  if (!run) throw new UsageError(`--url is ${url}; no local run of this checkout listens there`);
  const { awsEndpointUrl: endpoint, region, operator: credentials, logDir } = run;
  const api = run.functions.find(({ environment }) => 'TICK_SCHEDULE' in environment);
  if (!api) throw new UsageError(`--url is ${url}; the stack of this local run has no API`);
  const options = { endpoint, region, credentials };
  const clients = {
    dynamo: new DynamoDBClient(options),
    sqs: new SQSClient(options),
    lambda: new LambdaClient({ ...options, maxAttempts: 1 }),
    scheduler: new SchedulerClient(options),
  };
  const shared = sharedOf(api.name, clients.lambda);
  const lines = () => readLines(logDir);
  return {
    ...{ kind: 'local', url: run.url, stackName: run.stackName, env: api.environment },
    ...{ ...shared, ...tokens, clients, sizes: LOCAL_SIZES },
    receiver: () =>
      shared.once('receiver', async () => {
        const receiver = await startLocalReceiver();
        shared.atEnd(() => receiver.stop());
        return receiver;
      }),
    scratchQueue: () =>
      shared.once('scratch queue', async () => {
        const QueueName = `accept-${shared.run}`;
        const { QueueUrl } = await clients.sqs.send(new CreateQueueCommand({ QueueName }));
        shared.atEnd(async () => void (await clients.sqs.send(new DeleteQueueCommand({ QueueUrl }))));
        return QueueUrl!;
      }),
    async endEvents() {
      const { events } = (await (await fetch(`${run.url}/_local/events`)).json()) as {
        events: { detailType: string; detail: { jobId: string } }[];
      };
      return events.map(({ detailType: type, detail: { jobId } }): EndEvent => ({ type, jobId }));
    },
    metricNames: () => Promise.resolve(metricNamesIn(lines())),
    errorLines: () => Promise.resolve(errorLinesIn(lines(), shared.startMs)),
  };
}

/** What the functions of the local run have written, of its whole life. */
const readLines = (logDir: string): string[] =>
  readdirSync(logDir)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => readFileSync(join(logDir, file), 'utf8').split('\n'));
