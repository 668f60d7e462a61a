import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import type { Clock } from '../../clock/clock';
import type { Random } from '../../clock/random';

/** The part of the SDK's document client that the stores use. Tests supply their own. */
export type DocumentClient = Pick<DynamoDBDocumentClient, 'send'>;

/** What every access to one table needs. */
export interface TableAccess {
  documents: DocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
  random: Random;
}

/** A row as the document client returns it. */
export type Row = Record<string, unknown>;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Waits before the next try, after `tried` of them: exponential backoff with full jitter. */
export const pause = (
  { clock, random }: Pick<TableAccess, 'clock' | 'random'>,
  tried: number,
  signal?: AbortSignal,
): Promise<void> =>
  clock.sleep(random.fraction() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried), signal);
