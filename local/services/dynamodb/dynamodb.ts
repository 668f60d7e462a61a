import type { Clock } from '../../machine/clock';
import { denialMessage } from '../../iam/access';
import { LocalRunError, messageOf } from '../../run/errors';
import type { TableSpec } from '../../template/stack';
import { awsError, type AwsService } from '../aws-call';
import { startDynalite } from './dynalite-thread';
import { dynamoDbCall } from './dynamodb-call';
import { startExpiry } from './expiry';
import { dynamoDbPermissions } from './permissions';
import { ensureTables } from './tables';
import { observeWrites, type RowWrite } from './write-observer';

interface DynamoDbOptions {
  region: string;
  accountId: string;
  /** Folder of the tables; undefined keeps them in memory. */
  storePath: string | undefined;
  clock: Clock;
  /** Called once if the database dies. No request can be answered after that. */
  onFailure(error: Error): void;
  /** See `StartOptions.onRowWrite`. */
  onRowWrite?: ((write: RowWrite) => void) | undefined;
}

/** Starts the embedded DynamoDB, creates missing tables of the template, and expires items from then on. */
export async function startDynamoDb(specs: TableSpec[], options: DynamoDbOptions): Promise<AwsService> {
  const { clock, onFailure, onRowWrite } = options;
  const dynalite = await startDynalite(options);
  const send = onRowWrite ? observeWrites(dynalite.send, specs, onRowWrite) : dynalite.send;
  const call = dynamoDbCall(send);

  await ensureTables(specs, call).catch(async (cause: unknown) => {
    await dynalite.stop();
    throw new LocalRunError(`cannot open the tables: ${messageOf(cause)}`, { cause });
  });
  const expiry = startExpiry(specs, call, clock, onFailure);

  const partitionOf = (table: string): string | undefined =>
    specs
      .find(({ name, arn }) => table === name || table === arn)
      ?.properties.KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
  return {
    targetPrefix: 'DynamoDB_20120810.',
    call: ({ action, body }) => send(action, body),
    permissions: ({ action, body }) => dynamoDbPermissions(action, body, options, partitionOf),
    denied: (denial) =>
      awsError(400, 'com.amazon.coral.service#AccessDeniedException', denialMessage(denial)),
    async stop() {
      expiry.stop();
      await dynalite.stop();
    },
  };
}
