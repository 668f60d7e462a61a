import type { Execution } from '../../../domain/execution';
import { statusesBefore } from '../../../domain/transitions';
import type { Row, TableAccess } from '../access';
import { conditionalPut, conditionalUpdate, type WriteAnswer } from '../conditional-write';
import { allOf, anyOf, assignments, updateOf } from '../expressions';
import { executionAttributesOf, executionOf, executionRowKey } from './execution-row';
import { readRow } from './read-executions';

const isNew = 'attribute_not_exists(#execId)';
const sameVerdict = '#status = :status AND #reason = :reason';
const endsEarlier = 'attribute_not_exists(#skipped) OR #skipped.#toMs < :toMs';

/**
 * Key: the first occurrence's. Condition: no row, or the shorter beginning of the same stretch. An update rather than
 * a put, so that fence and history of a row that was once claimed stay. Cost: 1 write unit.
 * Lost race: `exists`.
 */
export async function putSkipped(access: TableAccess, row: Execution): Promise<'written' | 'exists'> {
  if (!statusesBefore(row.status).includes('scheduled')) {
    throw new Error(`no transition leads from scheduled to ${row.status}`);
  }
  const { fence, attempts, ...attributes } = executionAttributesOf(row);
  const { clauses, values } = assignments(attributes);
  const extends_ = row.skipped !== undefined && row.reason !== undefined;
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(row),
    ConditionExpression: extends_ ? anyOf(isNew, allOf(sameVerdict, endsEarlier)) : isNew,
    UpdateExpression: updateOf({
      set: [
        ...clauses,
        '#fence = if_not_exists(#fence, :fence)',
        '#attempts = if_not_exists(#attempts, :attempts)',
      ],
    }),
    ExpressionAttributeValues: {
      ...values,
      ':fence': fence,
      ':attempts': attempts,
      ...(extends_ && { ':toMs': row.skipped!.toMs }),
    },
  });
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
  const item: Row = { ...executionRowKey(row), ...executionAttributesOf(row) };
  const answer = await conditionalPut(access, { Item: item, ConditionExpression: isNew });
  return outcomeOf(access, row, answer, (current) => current.trigger === row.trigger);
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
