import type { DocumentClient, Row } from '../../lambdas/core/store/dynamo/access';
import {
  type BatchGetCommandInput,
  type BatchWriteCommandInput,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';

import { MemoryTable, type TableKey } from '../../test/support/dynamo/memory-table';
import type { Usage } from '../../test/support/dynamo/usage';
import { copyItemIn, itemBytes } from '../../test/support/dynamo/values';

type Send = (command: object, options?: object) => Promise<Record<string, unknown>>;
type Input = Record<string, unknown> & { TableName: string };

/**
 * A document client that works out, by DynamoDB's published size rules, what each request costs. What an answer does
 * not show (the size of a row that is overwritten, rows that a filter leaves out) is asked for by a request of its own,
 * which is not counted. A request that gets no answer counts nothing.
 *
 * @param keys the key attributes of each table
 */
export function meteredDocuments(
  documents: DocumentClient,
  keys: Readonly<Record<string, TableKey>>,
  usage: Usage,
): DocumentClient {
  const ask = documents.send.bind(documents) as unknown as Send;

  const keyOf = (table: string, row: Row): Row => {
    const { partition, sort } = keys[table]!;
    return { [partition]: row[partition], [sort]: row[sort] };
  };
  const stored = async (TableName: string, Key: Row): Promise<Row | undefined> => {
    const { Item } = await ask(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return Item as Row | undefined;
  };
  const bytesOf = (row: Row | undefined): number => (row ? itemBytes(row) : 0);
  /** The larger of the row before and after, and as much again in each index that has it. */
  const wrote = (table: string, before: Row | undefined, after: Row | undefined): void => {
    usage.write(table, Math.max(bytesOf(before), bytesOf(after)));
    for (const bytes of new MemoryTable(table, keys[table]!).indexWrites(before, after))
      usage.write(table, bytes);
  };

  async function write(command: object, input: Input, options?: object): Promise<Record<string, unknown>> {
    const table = input.TableName;
    const key = keyOf(table, (input.Item ?? input.Key) as Row);
    const before = await stored(table, key);
    try {
      const answer = await ask(command, options);
      wrote(table, before, await stored(table, key));
      return answer;
    } catch (error) {
      const refused = error instanceof Error && error.name === 'ConditionalCheckFailedException';
      if (refused) usage.write(table, bytesOf(before)); // billed like the write to the row that is there
      throw error;
    }
  }

  /** A page costs the sum of the rows that were looked at, rounded up once. */
  async function page(
    command: QueryCommand | ScanCommand,
    options?: object,
  ): Promise<Record<string, unknown>> {
    const answer = await ask(command, options);
    const looked = narrows(command.input) ? await ask(unnarrowed(command)) : answer;
    const bytes = (looked.Items as Row[]).reduce((sum, item) => sum + itemBytes(item), 0);
    usage.read(command.input.TableName!, bytes, command.input.ConsistentRead === true);
    return answer;
  }

  async function get(command: object, input: Input, options?: object): Promise<Record<string, unknown>> {
    const bytes = bytesOf(await stored(input.TableName, input.Key as Row));
    const answer = await ask(command, options);
    usage.read(input.TableName, bytes, input.ConsistentRead === true);
    return answer;
  }

  /** Each row of a batch is rounded up by itself, a missing one too. */
  async function batchGet(
    command: object,
    { RequestItems }: BatchGetCommandInput,
    options?: object,
  ): Promise<Record<string, unknown>> {
    const answer = await ask(command, options);
    const found = answer.Responses as Record<string, Row[]>;
    const left = answer.UnprocessedKeys as BatchGetCommandInput['RequestItems'];
    for (const [table, { Keys, ConsistentRead }] of Object.entries(RequestItems!)) {
      const sizes = (found[table] ?? []).map(itemBytes);
      const answered = Keys!.length - (left?.[table]?.Keys?.length ?? 0);
      const missing = Array.from({ length: answered - sizes.length }, () => 0);
      for (const bytes of [...sizes, ...missing]) usage.read(table, bytes, ConsistentRead === true);
    }
    return answer;
  }

  async function batchPut(
    command: object,
    { RequestItems }: BatchWriteCommandInput,
    options?: object,
  ): Promise<Record<string, unknown>> {
    const puts = Object.entries(RequestItems!).flatMap(([table, requests]) =>
      requests!.map(({ PutRequest }) => ({ table, item: copyItemIn(PutRequest!.Item as Row) })),
    );
    const before = await Promise.all(puts.map(({ table, item }) => stored(table, keyOf(table, item))));
    const answer = await ask(command, options);
    const left = answer.UnprocessedItems as Record<string, { PutRequest: { Item: Row } }[]> | undefined;
    const text = (table: string, row: Row) => JSON.stringify(keyOf(table, row));
    for (const [index, { table, item }] of puts.entries()) {
      const unprocessed = left?.[table]?.some(
        ({ PutRequest }) => text(table, PutRequest.Item) === text(table, item),
      );
      if (!unprocessed) wrote(table, before[index], item);
    }
    return answer;
  }

  const send: Send = (command, options) => {
    const { input } = command as { input: Input };
    switch (command.constructor.name) {
      case 'PutCommand':
      case 'UpdateCommand':
      case 'DeleteCommand':
        return write(command, input, options);
      case 'GetCommand':
        return get(command, input, options);
      case 'QueryCommand':
      case 'ScanCommand':
        return page(command as QueryCommand | ScanCommand, options);
      case 'BatchGetCommand':
        return batchGet(command, input as unknown as BatchGetCommandInput, options);
      case 'BatchWriteCommand':
        return batchPut(command, input as unknown as BatchWriteCommandInput, options);
      default:
        throw new Error(`${command.constructor.name} has no price yet`);
    }
  };
  return { send: send as unknown as DocumentClient['send'] };
}

type Narrowing = Pick<QueryCommandInput, 'FilterExpression' | 'ProjectionExpression'>;

const narrows = ({ FilterExpression, ProjectionExpression }: Narrowing): boolean =>
  FilterExpression !== undefined || ProjectionExpression !== undefined;

/** The same page with all of its rows, whole. Names and values that nothing uses any more would be refused. */
function unnarrowed(command: QueryCommand | ScanCommand): QueryCommand | ScanCommand {
  const {
    FilterExpression: _filter,
    ProjectionExpression: _projection,
    ExpressionAttributeNames,
    ExpressionAttributeValues,
    ...rest
  } = command.input as QueryCommandInput;
  if (command instanceof ScanCommand) return new ScanCommand(rest);
  const used = <T>(bindings: Record<string, T> = {}): Record<string, T> | undefined => {
    const inKey = Object.entries(bindings).filter(([name]) =>
      new RegExp(`${name}\\b`).test(rest.KeyConditionExpression ?? ''),
    );
    return inKey.length > 0 ? Object.fromEntries(inKey) : undefined;
  };
  return new QueryCommand({
    ...rest,
    ExpressionAttributeNames: used(ExpressionAttributeNames),
    ExpressionAttributeValues: used(ExpressionAttributeValues),
  });
}
