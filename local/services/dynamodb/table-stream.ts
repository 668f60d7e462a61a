import { type Clock, SECOND_MS } from '../../machine/clock';
import type { TableSpec } from '../../template/stack';
import { attributesOf } from './engine/attributes';
import type { MemoryTable } from './engine/memory-table';
import type { Item } from './engine/paths';
import type { RowChange, RowKey } from './engine/rows';

/** What the name of the table with the records of a stream ends with, after that of its own table. */
export const STREAM_SUFFIX = '.stream';
export const streamTableOf = (table: string): string => table + STREAM_SUFFIX;
export const STREAM_KEY: RowKey = { partition: 'stream', sort: 'sequence' };

/** Texts that attributes of the new image may be. A record needs one for each. */
export type Wanted = readonly { attribute: string; texts: readonly string[] }[];

/** A change that waits for the reader of the stream. */
interface KeptRecord {
  sequence: string;
  atMs: number;
  key: readonly string[];
  before?: Item;
  after: Item;
}

/** A record as Lambda passes it to a function. */
export interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY';
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime: number } & Record<string, unknown>;
  [field: string]: unknown;
}

interface StreamOptions {
  spec: TableSpec;
  arn: string;
  /** The table with the records. They are on disk with the changes that they tell of. */
  records: MemoryTable;
  wanted: Wanted;
  clock: Clock;
  region: string;
}

const ONE_SHARD = 'shard';
const TIME_DIGITS = 15;
const COUNT_DIGITS = 10;

/**
 * The stream of a table: one shard, with the records that its one reader has not acknowledged. What the
 * reader's filter leaves out is not kept, as no reader would see it.
 */
export class TableStream {
  readonly arn: string;
  readonly tableName: string;
  /** Called when a record has come. */
  onRecord: () => void = () => undefined;
  private readonly startedAt: string;
  private count = 0;
  /** How many records wait. */
  size = 0;

  constructor(private readonly options: StreamOptions) {
    this.arn = options.arn;
    this.tableName = options.spec.name;
    // A later run of the same tables goes on with higher numbers.
    this.startedAt = String(options.clock.nowMs()).padStart(TIME_DIGITS, '0');
    for (const _ of options.records.ascending(ONE_SHARD, '')) this.size += 1;
  }

  /** Keeps a change of a row, if the reader wants it. Its filter asks for new images: a removal has none. */
  add({ key, item: after }: RowChange, before: Item | undefined): void {
    const { wanted, records, clock } = this.options;
    if (
      !after ||
      before === after ||
      !wanted.every(({ attribute, texts }) => isOneOf(after[attribute], texts))
    )
      return;
    this.count += 1;
    const sequence = this.startedAt + String(this.count).padStart(COUNT_DIGITS, '0');
    const kept: KeptRecord = { sequence, atMs: clock.nowMs(), key, after, ...(before && { before }) };
    records.put({ [STREAM_KEY.partition]: ONE_SHARD, ...kept });
    this.size += 1;
    this.onRecord();
  }

  /** The oldest records, at most so many. */
  oldest(most: number): StreamRecord[] {
    const found: StreamRecord[] = [];
    for (const [, { item }] of this.options.records.ascending(ONE_SHARD, '')) {
      found.push(this.recordOf(item as unknown as KeptRecord));
      if (found.length === most) break;
    }
    return found;
  }

  /** Drops records that the reader has acknowledged, or given up. */
  drop(records: readonly StreamRecord[]): void {
    for (const { dynamodb } of records) this.options.records.delete(ONE_SHARD, dynamodb.SequenceNumber);
    this.size -= records.length;
  }

  private recordOf({ sequence, atMs, key, before, after }: KeptRecord): StreamRecord {
    const { spec, arn, region } = this.options;
    const keys = spec.properties.KeySchema.map(({ AttributeName }, index) => [AttributeName, key[index]!]);
    return {
      eventID: sequence,
      eventName: before ? 'MODIFY' : 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: region,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(atMs / SECOND_MS),
        Keys: attributesOf(Object.fromEntries(keys) as Item),
        NewImage: attributesOf(after),
        ...(before && { OldImage: attributesOf(before) }),
        SequenceNumber: sequence,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      eventSourceARN: arn,
    };
  }
}

const isOneOf = (value: unknown, texts: readonly string[]): boolean =>
  typeof value === 'string' && texts.includes(value);
