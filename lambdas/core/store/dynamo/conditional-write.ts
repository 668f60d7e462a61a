import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import type { HeldWrite, WriteOptions } from '../write-options';
import { pause, type Row, type TableAccess } from './access';
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from './commands';
import { namesIn } from './expressions';
import { nativeRow } from './native-attributes';

/** By its name: it may be the SDK's class or that of the calls. */
const isFailedCondition = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';

/** The condition failed, so nothing was written. */
export interface RefusedWrite {
  applied: false;
  /** The row that failed the condition, if DynamoDB returned it. Emulators may not. */
  current?: Row;
  /** The request was sent more than once: an earlier try may have written the row. */
  retried: boolean;
}

export type WriteAnswer =
  | { applied: true; /** The row, if `ReturnValues` asked for it. */ row?: Row }
  | RefusedWrite;

type Common = 'TableName' | 'ExpressionAttributeNames' | 'ReturnValuesOnConditionCheckFailure';
type Conditional<Input> = Omit<Input, Common> & { ConditionExpression: string };

export const conditionalPut = (
  access: TableAccess,
  input: Conditional<PutCommandInput>,
  options?: WriteOptions,
): Promise<WriteAnswer> =>
  write(access, (common) => access.documents.send(new PutCommand({ ...input, ...common }), options), [
    input.ConditionExpression,
  ]);

export const conditionalDelete = (
  access: TableAccess,
  input: Conditional<DeleteCommandInput>,
  options?: WriteOptions,
): Promise<WriteAnswer> =>
  write(access, (common) => access.documents.send(new DeleteCommand({ ...input, ...common }), options), [
    input.ConditionExpression,
  ]);

export const conditionalUpdate = (
  access: TableAccess,
  input: Conditional<UpdateCommandInput> & { UpdateExpression: string },
  options?: WriteOptions | HeldWrite,
): Promise<WriteAnswer> =>
  write(access, (common) => access.documents.send(new UpdateCommand({ ...input, ...common }), options), [
    input.ConditionExpression,
    input.UpdateExpression,
  ]);

const MAX_CONFLICTS = 5;

/**
 * A failed condition is an answer, and every other error is thrown as it is. The exception is a transaction
 * that holds the row: the SDK does not retry such a write, so this function does.
 */
async function write(
  access: TableAccess,
  send: (common: Pick<PutCommandInput, Common>) => Promise<{ Attributes?: Row }>,
  expressions: readonly string[],
): Promise<WriteAnswer> {
  const common = {
    TableName: access.table,
    ExpressionAttributeNames: namesIn(...expressions),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  for (let conflicts = 0; ; conflicts++) {
    try {
      const { Attributes } = await send(common);
      return { applied: true, row: Attributes };
    } catch (error) {
      if (isFailedCondition(error)) {
        const retried = conflicts > 0 || (error.$metadata.attempts ?? 1) > 1;
        return { applied: false, current: error.Item && nativeRow(error.Item), retried };
      }
      const conflict = error instanceof Error && error.name === 'TransactionConflictException';
      if (!conflict || conflicts === MAX_CONFLICTS) throw error;
      await pause(access, conflicts);
    }
  }
}
