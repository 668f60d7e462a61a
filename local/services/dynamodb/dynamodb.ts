import { Worker } from 'node:worker_threads';

import type { Clock } from '../../machine/clock';
import { LocalRunError, messageOf } from '../../run/errors';
import { refusalMessage } from '../../iam/access';
import type { TableSpec } from '../../template/stack';
import { workerFile } from '../../machine/worker-file';
import { awsError, type AwsService } from '../aws-call';
import type { DynaliteData, DynaliteReply, DynaliteRequest } from './dynalite-protocol';
import type { DynamoDbCall } from './dynamodb-call';
import { ensureTables } from './tables';
import { startExpiry } from './expiry';
import { dynamoDbPermissions } from './permissions';
import { type RowWrite, tapped } from './write-observer';

export interface DynamoDbOptions {
  region: string;
  accountId: string;
  /** Folder to keep the tables in; in memory without one. */
  storePath: string | undefined;
  clock: Clock;
  /** Called once if the database dies; nothing can be answered after that. */
  onFailure(error: Error): void;
  /** See `StartOptions.onRowWrite`. */
  onRowWrite?: ((write: RowWrite) => void) | undefined;
}

/** Starts the embedded DynamoDB, makes the template's tables where they are missing, and expires items from then on. */
export async function startDynamoDb(specs: TableSpec[], options: DynamoDbOptions): Promise<AwsService> {
  const data: DynaliteData = { modulePath: require.resolve('dynalite'), storePath: options.storePath };
  const worker = new Worker(await workerFile('services/dynamodb/dynalite-worker.ts'), {
    workerData: data,
    env: { AWS_REGION: options.region, AWS_ACCOUNT_ID: options.accountId },
    execArgv: [],
  });

  const pending = new Map<number, (reply: DynaliteReply | Error) => void>();
  let failure: Error | undefined;
  let stopping = false;
  const fail = (error: Error): void => {
    if (failure || stopping) return;
    failure = error;
    for (const settle of pending.values()) settle(error);
    pending.clear();
    options.onFailure(error);
  };
  worker.on('error', (error) =>
    fail(new Error(`the embedded DynamoDB failed: ${messageOf(error)}`, { cause: error })),
  );
  worker.on('exit', () => fail(new Error('the embedded DynamoDB has ended')));
  worker.on('message', (reply: DynaliteReply) => {
    pending.get(reply.id)?.(reply);
    pending.delete(reply.id);
  });

  let lastId = 0;
  const ask = (action: string, body: string): Promise<DynaliteReply> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      const id = ++lastId;
      pending.set(id, (reply) => (reply instanceof Error ? reject(reply) : resolve(reply)));
      worker.postMessage({ id, action, body } satisfies DynaliteRequest);
    });
  const send = options.onRowWrite ? tapped(ask, specs, options.onRowWrite) : ask;

  const call: DynamoDbCall = async (action, input) => {
    const { status, body } = await send(action, JSON.stringify(input));
    const answer = JSON.parse(body) as Record<string, unknown>;
    if (status === 200) return answer;
    const type = String(answer.__type).replace(/^.*#/, '');
    throw Object.assign(new Error(`${action}: ${type}: ${String(answer.message ?? answer.Message)}`), {
      name: type,
    });
  };

  await ensureTables(specs, call).catch(async (cause: unknown) => {
    stopping = true;
    await worker.terminate();
    throw new LocalRunError(`cannot open the tables: ${messageOf(cause)}`, { cause });
  });
  const expiry = startExpiry(specs, call, options.clock, options.onFailure);

  return {
    targetPrefix: 'DynamoDB_20120810.',
    call: ({ action, body }) => send(action, body),
    permissions: ({ action, body }) => dynamoDbPermissions(action, body, options),
    denied: (refusal) =>
      awsError(400, 'com.amazon.coral.service#AccessDeniedException', refusalMessage(refusal)),
    async stop() {
      stopping = true;
      expiry.stop();
      // What was acknowledged is with the operating system already, so ending the thread loses nothing.
      await worker.terminate();
    },
  };
}
