import { isDeepStrictEqual } from 'node:util';

import type { Execution } from '../../../domain/execution';
import { statusesBefore } from '../../../domain/transitions';
import type { WriteOptions } from '../../write-options';
import type { Row, TableAccess } from '../access';
import { conditionalPut, type WriteAnswer } from '../conditional-write';
import { executionAttributesOf, executionRowKey } from './execution-row';
import { failureKeyOf } from './failures';
import { currentExecution } from './read-executions';

const isNew = 'attribute_not_exists(#execId)';

/**
 * Key: the first occurrence's. Condition: no row, so the first decision counts. Cost: 1 write unit. Lost
 * race: `exists`.
 */
export async function putEnded(access: TableAccess, row: Execution): Promise<'written' | 'exists'> {
  if (!statusesBefore(row.status).includes('scheduled')) {
    throw new Error(`no transition leads from scheduled to ${row.status}`);
  }
  const answer = await putNew(access, row);
  return outcomeOf(access, row, answer, (current) =>
    [
      [current.status, row.status],
      [current.reason, row.reason],
      [current.finishedAtMs, row.finishedAtMs],
      [current.skipped?.toMs, row.skipped?.toMs],
    ].every(([is, written]) => is === written),
  );
}

/**
 * Key: the run's. Condition: no row. Cost: 1 write unit a KB, the payload included.
 * Lost race: `exists`. A row with the same cause that a retry of the SDK finds was written by an earlier try.
 */
export async function putQueued(
  access: TableAccess,
  row: Execution,
  options?: WriteOptions,
): Promise<'written' | 'exists'> {
  if (row.status !== 'queued') throw new Error(`a run starts as queued, not ${row.status}`);
  const answer = await putNew(access, row, options);
  return outcomeOf(
    access,
    row,
    answer,
    (current) => current.trigger === row.trigger && isDeepStrictEqual(current.cause, row.cause),
  );
}

function putNew(access: TableAccess, row: Execution, options?: WriteOptions): Promise<WriteAnswer> {
  const item: Row = {
    ...executionRowKey(row),
    ...executionAttributesOf(row),
    ...failureKeyOf(row, row.status),
  };
  return conditionalPut(access, { Item: item, ConditionExpression: isNew }, options);
}

/** If the SDK retried, an earlier try may have written the row. */
async function outcomeOf(
  access: TableAccess,
  row: Execution,
  answer: WriteAnswer,
  isEarlierTry: (current: Execution) => boolean,
): Promise<'written' | 'exists'> {
  if (answer.applied) return 'written';
  if (!answer.retried) return 'exists';
  const current = await currentExecution(access, row, answer);
  return current && isEarlierTry(current) ? 'written' : 'exists';
}
