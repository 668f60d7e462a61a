import { setTimeout as sleep } from 'node:timers/promises';

import { type Clock, MINUTE_MS, SECOND_MS } from '../../machine/clock';
import type { TableSpec } from '../../template/stack';
import type { MemoryTable } from './engine/memory-table';
import type { Tables } from './engine/tables';

/** Rows that are checked in one go. */
const SLICE_ROWS = 1_000;
/** Pauses last this many times as long as the work, so that a pass uses a small part of the main thread. */
const PAUSE_FACTOR = 15;

/**
 * Deletes items whose time to live is over, as DynamoDB does. A pass covers every table with a TTL attribute.
 * Passes are one minute apart.
 */
export function startExpiry(
  specs: readonly TableSpec[],
  tables: Tables,
  clock: Clock,
  onFailure: (error: Error) => void,
): { stop(): void } {
  const stopped = new AbortController();
  const { signal } = stopped;

  const pass = async (): Promise<void> => {
    for (const { name, properties } of specs) {
      const ttl = properties.TimeToLiveSpecification;
      if (!ttl?.Enabled || !ttl.AttributeName) continue;
      for (const pauseMs of expireTable(tables.table(name), ttl.AttributeName, clock))
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
 * Deletes the expired items of a table, slice by slice. Yields after each how many milliseconds to pause.
 * Items may change meanwhile.
 */
export function* expireTable(table: MemoryTable, ttlAttribute: string, clock: Clock): Generator<number> {
  let startedAtMs = performance.now();
  for (const slice of table.slices(SLICE_ROWS)) {
    const nowSec = Math.floor(clock.nowMs() / SECOND_MS);
    for (const { item } of slice) {
      const expiresAtSec = item[ttlAttribute];
      if (typeof expiresAtSec === 'number' && expiresAtSec < nowSec) table.delete(...table.keyOf(item));
    }
    yield PAUSE_FACTOR * (performance.now() - startedAtMs);
    startedAtMs = performance.now();
  }
}
