import { setTimeout as sleep } from 'node:timers/promises';

import { type Clock, MINUTE_MS, SECOND_MS } from '../../machine/clock';
import type { TableSpec } from '../../template/stack';
import type { DynamoDbCall } from './dynamodb-call';

/** Items read at a time. */
const PAGE_ITEMS = 200;
/** A pass rests this many times as long as it works, so that it takes a small share of the database's thread. */
const REST_FACTOR = 15;

/**
 * Deletes items whose time to live is over, as DynamoDB does on its own: a pass over every table with a TTL attribute,
 * one minute after the last one ended.
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
      for await (const restMs of expireTable(name, keys, ttl.AttributeName, call, clock))
        await sleep(restMs, undefined, { signal });
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

/** Goes over one table page by page, and yields after each how many milliseconds to rest. */
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
    yield REST_FACTOR * (performance.now() - startedAtMs);
  } while (ExclusiveStartKey !== undefined);
}

/** An item that was given more time since it was read stays. */
function ignoreRenewed(error: unknown): void {
  if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
}
