import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import type { Random } from '../../clock/random';
import type { Clock } from '../../clock/clock';

/** The part of the SDK's document client that the stores use; a test gives another. */
export type DocumentClient = Pick<DynamoDBDocumentClient, 'send'>;

/** What every access to one table needs. */
export interface TableAccess {
  documents: DocumentClient;
  table: string;
  clock: Clock;
  random: Random;
}

/** A row as the document client gives it. */
export type Row = Record<string, unknown>;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Waits before try `tried + 1`: exponential, full jitter. */
export const pause = (
  { clock, random }: Pick<TableAccess, 'clock' | 'random'>,
  tried: number,
  signal?: AbortSignal,
): Promise<void> =>
  clock.sleep(random.fraction() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried), signal);
