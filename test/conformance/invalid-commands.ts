import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '../../lambdas/core/store/dynamo/commands';

import { type Command, key } from './random-commands';

function at(jobId: string, execId: string) {
  return { TableName: 'x', Key: key(jobId, execId) };
}
function set(clause: string, names: Record<string, string>, values: Record<string, unknown>) {
  return {
    UpdateExpression: `SET ${clause}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
function update(values: Record<string, unknown>, names: Record<string, string>): UpdateCommand {
  return new UpdateCommand({
    ...at('p', 's'),
    ...set('#a = :a', { '#a': 'a', ...names }, { ':a': 1, ...values }),
  });
}
function query(range: string, values: Record<string, unknown>) {
  return {
    TableName: 'x',
    KeyConditionExpression: `#j = :j AND ${range}`,
    ExpressionAttributeNames: { '#j': 'jobId', '#e': 'execId' },
    ExpressionAttributeValues: { ':j': 'p', ...values },
  };
}

/** Points a command at the table that this run made. */
export function retarget(command: Command, table: string): void {
  const input = command.input as { TableName?: string; RequestItems?: Record<string, unknown> };
  if (input.TableName) input.TableName = table;
  if (input.RequestItems) input.RequestItems = { [table]: input.RequestItems.x };
}

/** Commands that DynamoDB rejects before it reads any row. */
export const invalidCommands: [string, Command][] = [
  ['a value that no expression uses', update({ ':unused': 1 }, {})],
  ['a name that no expression uses', update({}, { '#unused': 'x' })],
  ['a value that is not given', new DeleteCommand({ ...at('p', 's'), ConditionExpression: 'a = :a' })],
  ['an empty key', new GetCommand(at('p', ''))],
  [
    'a change of the key',
    new UpdateCommand({ ...at('p', 's'), ...set('#k = :k', { '#k': 'execId' }, { ':k': 'x' }) }),
  ],
  [
    'a path twice',
    new UpdateCommand({ ...at('p', 's'), ...set('#a = :a, #a = :a', { '#a': 'a' }, { ':a': 1 }) }),
  ],
  [
    'a sum with what is missing',
    new UpdateCommand({ ...at('p', 's'), ...set('#a = #b + :a', { '#a': 'a', '#b': 'b' }, { ':a': 1 }) }),
  ],
  [
    'an item above 400 KB',
    new PutCommand({ TableName: 'x', Item: { jobId: 'p', execId: 's', big: 'x'.repeat(410_000) } }),
  ],
  [
    'a batch with one key twice',
    new BatchGetCommand({ RequestItems: { x: { Keys: [key('p', 's'), key('p', 's')] } } }),
  ],
  [
    'a batch of 26',
    new BatchWriteCommand({
      RequestItems: {
        x: Array.from({ length: 26 }, (_, n) => ({ PutRequest: { Item: key('p', `s${n}`) } })),
      },
    }),
  ],
  [
    'a start key outside of the range',
    new QueryCommand({ ...query('#e < :e', { ':e': 'm' }), ExclusiveStartKey: key('p', 'z') }),
  ],
  ['a range upside down', new QueryCommand(query('#e BETWEEN :e AND :f', { ':e': 'm', ':f': 'a' }))],
];
