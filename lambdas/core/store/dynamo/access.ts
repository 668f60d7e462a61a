import type { Clock } from '../../clock/clock';
import type { Random } from '../../clock/random';
import type { HeldWrite, WriteOptions } from '../write-options';
import type { DocumentCommand } from './commands';

/** Sends the requests of the stores, with plain values in and out. Tests supply their own. */
export interface DocumentClient {
  /** @throws the SDK's errors, by name, each with the number of its tries in `$metadata.attempts` */
  send<Input extends object, Output extends object>(
    command: DocumentCommand<Input, Output>,
    options?: Partial<WriteOptions & HeldWrite>,
  ): Promise<NonNullable<DocumentCommand<Input, Output>['output']>>;
}

/** What every access to one table needs. */
export interface TableAccess {
  documents: DocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
  random: Random;
}

/** A row with plain values. */
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
