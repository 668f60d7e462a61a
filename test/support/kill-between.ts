import { compactInstant } from '../../lambdas/core/contracts/tables';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import type { Call } from './dynamo/memory-dynamo';
import type { PipelineWorld } from './pipeline-world';
import { SEND } from './stage-nodes';

type Matches = (call: Call) => boolean;

/**
 * Kills the first process of a stage that has done one of two writes, before it does the other one, whichever
 * comes first. So a test asks what holds after a death exactly between the two, and fails if their order is
 * changed in the code. A process that the first write did not reach is left alone.
 *
 * @param onDeath called with the death
 * @returns tells whether a process was killed
 */
export function killBetween(
  world: PipelineWorld,
  stage: SendingStage,
  writes: readonly [Matches, Matches],
  onDeath: () => void = () => undefined,
): () => boolean {
  const done = new Map<() => void, Matches>();
  let killed = false;
  world.onCall = (by, call, kill) => {
    const write = by === stage && !killed ? writes.find((matches) => matches(call)) : undefined;
    if (!write) return;
    const earlier = done.get(kill) ?? write;
    done.set(kill, earlier);
    if (earlier === write) return;
    killed = true;
    kill();
    onDeath();
  };
  return () => killed;
}

/** The rows that a call puts into a table, alone or in a batch. */
export function rowsPut({ command, input }: Call, table: string): Record<string, unknown>[] {
  if (command === 'PutCommand') return input.TableName === table ? [input.Item as never] : [];
  if (command !== 'BatchWriteCommand') return [];
  const requests = (input.RequestItems as Record<string, { PutRequest?: { Item: never } }[]>)[table] ?? [];
  return requests.flatMap(({ PutRequest }) => (PutRequest ? [PutRequest.Item] : []));
}

/** A write of entries whose sort keys all contain the text. */
export const putsEntries =
  (text: string): Matches =>
  (call) => {
    const rows = rowsPut(call, 'schedule').filter(({ entry, v }) => v !== undefined && entry !== '#');
    return rows.length > 0 && rows.every(({ entry }) => String(entry).includes(text));
  };

/** A write of the entry of the occurrence due then. */
export const putsEntryOf = (dueAtMs: number): Matches => putsEntries(`#${compactInstant(dueAtMs)}`);

/** A write of entries that catch up. */
export const putsCatchUps: Matches = putsEntries('#c#');

/** A write of the entry of an attempt. */
export const putsAttemptEntry: Matches = putsEntries('#a#');

/** A write of tickets of ordering keys. */
export const putsTickets: Matches = (call) =>
  rowsPut(call, 'schedule').some(({ message }) => message !== undefined);

/** A send of execution messages. */
export const sends: Matches = ({ command }) => command === SEND;

/** An update of an execution that sets its status. */
export const setsStatus =
  (status: string): Matches =>
  ({ command, input }) =>
    command === 'UpdateCommand' &&
    input.TableName === 'executions' &&
    (input.ExpressionAttributeValues as Record<string, unknown>)[':status'] === status;

/** A move of cursors of the sweeper. */
export const movesSweepCursor: Matches = ({ command, input }) =>
  command === 'UpdateCommand' &&
  String((input.Key as { bucket?: string }).bucket).startsWith('#cursors#sweep');
