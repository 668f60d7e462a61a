import { setTimeout as sleep } from 'node:timers/promises';

import { type Clock, MINUTE_MS, SECOND_MS } from '../../machine/clock';
import type { TableSpec } from '../../template/stack';
import type { DynamoDbCall } from './dynamodb-call';

/** Items per read. */
const PAGE_ITEMS = 200;
/**
 * Pauses last this many times as long as the work, so that a pass uses a small part of the database's thread.
 */
const PAUSE_FACTOR = 15;

/**
 * Deletes items whose time to live is over, as DynamoDB does. A pass covers every table with a TTL attribute.
 * Passes are one minute apart.
 */
export function startExpiry(
  specs: TableSpec[],
  call: DynamoDbCall,
  clock: Clock,
  onFailure: (error: Error) => void,
): { stop(): void } {
  const stopped = new AbortController();
  const { signal } = stopped;

  const pass = async (): Promise<void> => {
    for (const { name, properties } of specs) {
      const ttl = properties.TimeToLiveSpecification;
      if (!ttl?.Enabled || !ttl.AttributeName) continue;
      const keys = properties.KeySchema.map(({ AttributeName }) => AttributeName);
      for await (const pauseMs of expireTable(name, keys, ttl.AttributeName, call, clock))
        await sleep(pauseMs, undefined, { signal });
    }
  };

  const run = async (): Promise<void> => {
    for (;;) {
      await sleep(MINUTE_MS, undefined, { signal });
      await pass();
    }
  };
  run().catch((error: unknown) => {
    if (!signal.aborted) onFailure(error instanceof Error ? error : new Error(String(error)));
  });
  return { stop: () => stopped.abort() };
}

/**
 * Deletes the expired items of a table, page by page. Yields after each page how many milliseconds to pause.
 */
export async function* expireTable(
  TableName: string,
  keys: string[],
  ttlAttribute: string,
  call: DynamoDbCall,
  clock: Clock,
): AsyncGenerator<number> {
  const names = Object.fromEntries([...keys, ttlAttribute].map((key, index) => [`#${index}`, key]));
  const ttl = `#${keys.length}`;
  let ExclusiveStartKey: unknown;
  do {
    const startedAtMs = performance.now();
    const values = { ':now': { N: String(Math.floor(clock.nowMs() / SECOND_MS)) } };
    const page = await call('Scan', {
      TableName,
      Limit: PAGE_ITEMS,
      FilterExpression: `${ttl} < :now`,
      ProjectionExpression: keys.map((_, index) => `#${index}`).join(', '),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
    });
    for (const Key of page.Items as object[])
      await call('DeleteItem', {
        TableName,
        Key,
        ConditionExpression: `${ttl} < :now`,
        ExpressionAttributeNames: { [ttl]: ttlAttribute },
        ExpressionAttributeValues: values,
      }).catch(ignoreRenewed);
    ExclusiveStartKey = page.LastEvaluatedKey;
    yield PAUSE_FACTOR * (performance.now() - startedAtMs);
  } while (ExclusiveStartKey !== undefined);
}

/** The item's time to live was extended after the scan; it stays. */
function ignoreRenewed(error: unknown): void {
  if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
}
