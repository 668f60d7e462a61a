import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';

import { UsageError } from '../command';

const POLL_MS = 15_000;

/** Name of the table that a restore makes. The same time gives the same name, so a repeat continues. */
export const restoredNameOf = (table: string, to: Date): string =>
  `${table}-at-${to
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '')}`;

/**
 * Restores a table as it was, into a new table, and waits until that is active. Continues with a table of an
 * earlier call.
 *
 * @throws UsageError if the time is outside of what DynamoDB keeps
 */
export async function restoreTable(
  client: Pick<DynamoDBClient, 'send'>,
  { table, to }: { table: string; to: Date },
  sleep: (ms: number) => Promise<unknown>,
): Promise<string> {
  const restored = restoredNameOf(table, to);
  if ((await statusOf(client, restored)) === undefined) {
    await checkRange(client, table, to);
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: table,
        TargetTableName: restored,
        RestoreDateTime: to,
      }),
    );
  }
  for (;;) {
    const status = await statusOf(client, restored);
    if (status === 'ACTIVE') return restored;
    if (status === undefined) throw new UsageError(`the table ${restored} has vanished while it was made`);
    await sleep(POLL_MS);
  }
}

async function checkRange(client: Pick<DynamoDBClient, 'send'>, table: string, to: Date): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: table }),
  );
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (!earliest || !latest) throw new UsageError(`${table} has no point-in-time recovery`);
  if (to < earliest || to > latest)
    throw new UsageError(
      `--to is ${to.toISOString()}; expected a time from ${earliest.toISOString()} to ${latest.toISOString()}, ` +
        `which DynamoDB keeps of ${table}`,
    );
}

/** Undefined if there is no such table. */
async function statusOf(client: Pick<DynamoDBClient, 'send'>, table: string): Promise<string | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: table }))).Table?.TableStatus;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
