import type { DocumentClient, Row } from '../../lambdas/core/store/dynamo/access';
import {
  type BatchGetCommandInput,
  type BatchWriteCommandInput,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '../../lambdas/core/store/dynamo/commands';

import { MemoryTable } from '../../local/services/dynamodb/engine/memory-table';
import type { TableKey } from '../../local/services/dynamodb/engine/rows';
import type { Usage } from '../../local/services/dynamodb/engine/usage';
import { copyItemIn, itemBytes } from '../../local/services/dynamodb/engine/values';

type Send = (command: object, options?: object) => Promise<Record<string, unknown>>;
type Input = Record<string, unknown> & { TableName: string };

/**
 * A document client that counts the cost of each request by DynamoDB's published size rules. An answer does
 * not show everything: the size of an overwritten row, or rows that a filter removed. The client reads those
 * with requests of its own, which do not count. A request without an answer counts nothing.
 *
 * @param keys the key attributes of each table
 */
export function meteredDocuments(
  documents: DocumentClient,
  keys: Readonly<Record<string, TableKey>>,
  usage: Usage,
): DocumentClient {
  const client = new MeteredClient(documents.send.bind(documents) as unknown as Send, keys, usage);
  const send: Send = (command, options) => client.send(command, options);
  return { send: send as unknown as DocumentClient['send'] };
}

class MeteredClient {
  constructor(
    private readonly ask: Send,
    private readonly keys: Readonly<Record<string, TableKey>>,
    private readonly usage: Usage,
  ) {}

  send(command: object, options?: object): Promise<Record<string, unknown>> {
    const { input } = command as { input: Input };
    switch (command.constructor.name) {
      case 'PutCommand':
      case 'UpdateCommand':
      case 'DeleteCommand':
        return this.write(command, input, options);
      case 'GetCommand':
        return this.get(command, input, options);
      case 'QueryCommand':
      case 'ScanCommand':
        return this.page(command as QueryCommand | ScanCommand, options);
      case 'BatchGetCommand':
        return this.batchGet(command, input as unknown as BatchGetCommandInput, options);
      case 'BatchWriteCommand':
        return this.batchPut(command, input as unknown as BatchWriteCommandInput, options);
      default:
        throw new Error(`${command.constructor.name} has no price yet`);
    }
  }

  private async write(command: object, input: Input, options?: object): Promise<Record<string, unknown>> {
    const table = input.TableName;
    const key = this.keyOf(table, (input.Item ?? input.Key) as Row);
    const before = await this.stored(table, key);
    try {
      const answer = await this.ask(command, options);
      this.countWrite(table, before, await this.stored(table, key));
      return answer;
    } catch (error) {
      const refused = error instanceof Error && error.name === 'ConditionalCheckFailedException';
      if (refused) this.usage.write(table, bytesOf(before)); // billed like a write to the existing row
      throw error;
    }
  }

  /** A page costs the sum of the rows that DynamoDB read, rounded up once. */
  private async page(
    command: QueryCommand | ScanCommand,
    options?: object,
  ): Promise<Record<string, unknown>> {
    const answer = await this.ask(command, options);
    const whole = narrows(command.input) ? await this.ask(unnarrowed(command)) : answer;
    const bytes = (whole.Items as Row[]).reduce((sum, item) => sum + itemBytes(item), 0);
    this.usage.read(command.input.TableName!, bytes, command.input.ConsistentRead === true);
    return answer;
  }

  private async get(command: object, input: Input, options?: object): Promise<Record<string, unknown>> {
    const bytes = bytesOf(await this.stored(input.TableName, input.Key as Row));
    const answer = await this.ask(command, options);
    this.usage.read(input.TableName, bytes, input.ConsistentRead === true);
    return answer;
  }

  /** Each row of a batch is rounded up by itself, a missing one too. */
  private async batchGet(
    command: object,
    { RequestItems }: BatchGetCommandInput,
    options?: object,
  ): Promise<Record<string, unknown>> {
    const answer = await this.ask(command, options);
    const found = answer.Responses as Record<string, Row[]>;
    const left = answer.UnprocessedKeys as BatchGetCommandInput['RequestItems'];
    for (const [table, { Keys, ConsistentRead }] of Object.entries(RequestItems!)) {
      const sizes = (found[table] ?? []).map(itemBytes);
      const answered = Keys!.length - (left?.[table]?.Keys?.length ?? 0);
      const missing = Array.from({ length: answered - sizes.length }, () => 0);
      for (const bytes of [...sizes, ...missing]) this.usage.read(table, bytes, ConsistentRead === true);
    }
    return answer;
  }

  private async batchPut(
    command: object,
    { RequestItems }: BatchWriteCommandInput,
    options?: object,
  ): Promise<Record<string, unknown>> {
    const puts = Object.entries(RequestItems!).flatMap(([table, requests]) =>
      requests!.map(({ PutRequest }) => ({ table, item: copyItemIn(PutRequest!.Item as Row) })),
    );
    const before = await Promise.all(
      puts.map(({ table, item }) => this.stored(table, this.keyOf(table, item))),
    );
    const answer = await this.ask(command, options);
    const left = answer.UnprocessedItems as Record<string, { PutRequest: { Item: Row } }[]> | undefined;
    const text = (table: string, row: Row) => JSON.stringify(this.keyOf(table, row));
    for (const [index, { table, item }] of puts.entries()) {
      const unprocessed = left?.[table]?.some(
        ({ PutRequest }) => text(table, PutRequest.Item) === text(table, item),
      );
      if (!unprocessed) this.countWrite(table, before[index], item);
    }
    return answer;
  }

  private keyOf(table: string, row: Row): Row {
    const { partition, sort } = this.keys[table]!;
    return { [partition]: row[partition], [sort]: row[sort] };
  }

  private async stored(TableName: string, Key: Row): Promise<Row | undefined> {
    const { Item } = await this.ask(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return Item as Row | undefined;
  }

  /** The larger of the row before and after, and as much again in each index that has it. */
  private countWrite(table: string, before: Row | undefined, after: Row | undefined): void {
    this.usage.write(table, Math.max(bytesOf(before), bytesOf(after)));
    for (const bytes of new MemoryTable(table, this.keys[table]!).indexWrites(
      storedOf(before),
      storedOf(after),
    ))
      this.usage.write(table, bytes);
  }
}

const bytesOf = (row: Row | undefined): number => (row ? itemBytes(row) : 0);
const storedOf = (item: Row | undefined) => item && { item, bytes: itemBytes(item) };

type Narrowing = Pick<QueryCommandInput, 'FilterExpression' | 'ProjectionExpression'>;

const narrows = ({ FilterExpression, ProjectionExpression }: Narrowing): boolean =>
  FilterExpression !== undefined || ProjectionExpression !== undefined;

/**
 * The command for a page with all of its rows, whole. DynamoDB would reject names and values without a use.
 */
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
