import { Worker } from 'node:worker_threads';

import { programFile } from '../../machine/program.cjs';
import { messageOf } from '../../run/errors';
import type { DynaliteData, DynaliteReply, DynaliteRequest } from './dynalite-protocol';

interface DynaliteOptions {
  region: string;
  accountId: string;
  /** Folder of the tables; undefined keeps them in memory. */
  storePath: string | undefined;
  /** Called once if the thread dies. No request can be answered after that. */
  onFailure(error: Error): void;
}

/** dynalite, an implementation of the DynamoDB API, in its own thread. */
export interface Dynalite {
  /** `body` is the JSON of the request. Rejects only if the thread has died. */
  send(action: string, body: string): Promise<DynaliteReply>;
  stop(): Promise<void>;
}

/** Starts the thread. */
export async function startDynalite(options: DynaliteOptions): Promise<Dynalite> {
  const data: DynaliteData = { modulePath: require.resolve('dynalite'), storePath: options.storePath };
  const worker = new Worker(await programFile('local/services/dynamodb/dynalite-worker.ts'), {
    workerData: data,
    env: { AWS_REGION: options.region, AWS_ACCOUNT_ID: options.accountId },
    execArgv: [],
  });

  const pending = new Map<number, (reply: DynaliteReply | Error) => void>();
  let lastId = 0;
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
  worker.on('exit', () => fail(new Error('the embedded DynamoDB has exited')));
  worker.on('message', (reply: DynaliteReply) => {
    pending.get(reply.id)?.(reply);
    pending.delete(reply.id);
  });

  return {
    send: (action, body) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        const id = ++lastId;
        pending.set(id, (reply) => (reply instanceof Error ? reject(reply) : resolve(reply)));
        worker.postMessage({ id, action, body } satisfies DynaliteRequest);
      }),
    async stop() {
      stopping = true;
      // Acknowledged writes have already been passed to the operating system, so none is lost.
      await worker.terminate();
    },
  };
}
