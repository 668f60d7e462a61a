import { DAY_MS, MINUTE_MS } from '../../lambdas/core/clock/clock';
import { CONTROL_SORT, ORDERING_QUEUES, TTL_ATTRIBUTE } from '../../lambdas/core/contracts/tables';
import type { Item } from '../../local/services/dynamodb/engine/paths';
import type { FakeClock } from '../support/fake-clock';
import type { FakeRandom } from '../support/fake-random';

/**
 * Rows expire within the run. Executors claim nothing that was due `claimedForMs` ago, and a row may vanish
 * `marginMs` after that. In production, the margin is a day.
 */
export interface Expiry {
  claimedForMs: number;
  marginMs: number;
}

/** The retention with which executors claim nothing older than `claimedForMs`. */
export const retentionDaysOf = ({ claimedForMs }: Expiry): number => 1 + claimedForMs / DAY_MS;

/** How long an entry is kept after its time, and the holder of an ordering key beyond retention. */
const ENTRIES_KEPT_MS = 7 * DAY_MS;
const HOLDERS_KEPT_MS = 41 * DAY_MS;
/** The longest time for which a row outlives its expiry: in AWS two days. */
const LONGEST_LATE_MS = 5 * MINUTE_MS;
const ENTRY_BUCKET = /^\d{4}-/;

/** When DynamoDB's TTL deletes a row as it was written now: at its expiry, or later. Undefined: never. */
export function vanishesAtMs(row: Item | undefined, expiry: Expiry, random: FakeRandom): number | undefined {
  const expiresAtSec = row?.[TTL_ATTRIBUTE];
  if (typeof expiresAtSec !== 'number') return undefined;
  const bucket = typeof row!.bucket === 'string' ? row!.bucket : '';
  const isHolder = bucket.startsWith(ORDERING_QUEUES) && row!.entry === CONTROL_SORT;
  // What is kept for days is kept for the margin here: all else would outlive the run.
  const keptMs = ENTRY_BUCKET.test(bucket) ? ENTRIES_KEPT_MS : isHolder ? HOLDERS_KEPT_MS : DAY_MS;
  const lateMs = random.fraction() < 0.5 ? 0 : random.fraction() * LONGEST_LATE_MS;
  return expiresAtSec * 1_000 - keptMs + expiry.marginMs + lateMs;
}

/** What the deletion of rows needs of the tables. */
interface Vanishing {
  vanish(table: string, key: Item, expiresAtSec: number): boolean;
}

/** Deletes rows as TTL does: each at its own time, unless it was written with a later one meanwhile. */
export class Ttl {
  constructor(
    private readonly expiry: Expiry,
    private readonly random: FakeRandom,
    private readonly time: FakeClock,
    private readonly vanished: (table: string, key: Item) => void,
  ) {}

  written(tables: Vanishing, table: string, key: Item, row: Item | undefined): void {
    const atMs = vanishesAtMs(row, this.expiry, this.random);
    if (atMs === undefined) return;
    const expiresAtSec = row![TTL_ATTRIBUTE] as number;
    void this.time.sleep(Math.max(1, atMs - this.time.nowMs())).then(() => {
      if (tables.vanish(table, key, expiresAtSec)) this.vanished(table, key);
    });
  }
}
