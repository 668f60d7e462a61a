import type { Execution } from '../../../domain/execution';
import { statusesBefore } from '../../../domain/transitions';
import type { Row, TableAccess } from '../access';
import { conditionalPut, type WriteAnswer } from '../conditional-write';
import { executionAttributesOf, executionOf, executionRowKey } from './execution-row';
import { failureKeyOf } from './failures';
import { readRow } from './read-executions';

const isNew = 'attribute_not_exists(#execId)';

/**
 * Key: the first occurrence's. Condition: no row, so whoever decides on it first has the say. Cost: 1 write unit.
 * Lost race: `exists`.
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
    ].every(([is, asWritten]) => is === asWritten),
  );
}

/**
 * Key: the manual run's. Condition: no row. Cost: 1 write unit a KB (it holds its payload).
 * Lost race: `exists`. Its id is unique, so a row that was found when the SDK tried again is one's own.
 */
export async function putQueued(access: TableAccess, row: Execution): Promise<'written' | 'exists'> {
  if (row.status !== 'queued') throw new Error(`a manual run is born queued, not ${row.status}`);
  const answer = await putNew(access, row);
  return outcomeOf(access, row, answer, (current) => current.trigger === row.trigger);
}

function putNew(access: TableAccess, row: Execution): Promise<WriteAnswer> {
  const item: Row = {
    ...executionRowKey(row),
    ...executionAttributesOf(row),
    ...failureKeyOf(row, row.status),
  };
  return conditionalPut(access, { Item: item, ConditionExpression: isNew });
}

/** Where the SDK tried again, the row may be one's own. */
async function outcomeOf(
  access: TableAccess,
  row: Execution,
  answer: WriteAnswer,
  isOwn: (current: Execution) => boolean,
): Promise<'written' | 'exists'> {
  if (answer.held) return 'written';
  if (!answer.retried) return 'exists';
  const current = answer.current ?? (await readRow(access, row));
  return current && isOwn(executionOf(current)) ? 'written' : 'exists';
}
