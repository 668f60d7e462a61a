import type { TableSpec } from '../../template/stack';
import type { Dynalite } from './dynalite-thread';

/** A row in DynamoDB's JSON: `{ userId: { S: 'alice' } }`. */
export type RowImage = Record<string, Record<string, unknown>>;
/** A write of a row. */
export interface RowWrite {
  /** Logical id of its table. */
  table: string;
  key: RowImage;
  /** The row after the write; absent if it was deleted. */
  row?: RowImage;
}

interface Part {
  TableName: string;
  Item?: RowImage;
  Key?: RowImage;
}
interface Input extends Part {
  RequestItems: Record<string, { PutRequest?: Partial<Part>; DeleteRequest?: Partial<Part> }[]>;
  TransactItems: Record<string, Part>[];
}

/**
 * Calls `onWrite` for every written row, in the order of the writes and before the writer gets its response.
 * For that, requests are processed one at a time: no request sees a write that has not been observed.
 */
export function observeWrites(
  send: Dynalite['send'],
  specs: readonly TableSpec[],
  onWrite: (write: RowWrite) => void,
): Dynalite['send'] {
  const sendObserved: Dynalite['send'] = async (action, body) => {
    const reply = await send(action, body);
    if (reply.status !== 200) return reply;
    for (const { spec, key } of writtenRows(action, body, specs)) {
      const read = { TableName: spec.name, Key: key, ConsistentRead: true };
      const found = await send('GetItem', JSON.stringify(read));
      if (found.status !== 200) throw new Error(`cannot read back a row of ${spec.name}: ${found.body}`);
      onWrite({ table: spec.logicalId, key, row: (JSON.parse(found.body) as { Item?: RowImage }).Item });
    }
    return reply;
  };
  let last: Promise<unknown> = Promise.resolve();
  return (action, body) => {
    const reply = last.then(() => sendObserved(action, body));
    last = reply.catch(() => undefined); // its own caller gets the error
    return reply;
  };
}

function writtenRows(
  action: string,
  body: string,
  specs: readonly TableSpec[],
): { spec: TableSpec; key: RowImage }[] {
  return partsOf(action, JSON.parse(body) as Input).map(({ TableName, Item, Key }) => {
    const spec = specs.find(({ name, arn }) => TableName === name || TableName === arn);
    if (!spec) throw new Error(`${action} has written to ${TableName}, which is not a table of the template`);
    const names = spec.properties.KeySchema.map(({ AttributeName }) => AttributeName);
    const written = { ...Item, ...Key };
    return { spec, key: Object.fromEntries(names.map((name) => [name, written[name]!])) };
  });
}

function partsOf(action: string, input: Input): Part[] {
  if (/^(Put|Update|Delete)Item$/.test(action)) return [input];
  if (action === 'BatchWriteItem')
    return Object.entries(input.RequestItems).flatMap(([TableName, requests]) =>
      requests.map(({ PutRequest, DeleteRequest }) => ({ TableName, ...PutRequest, ...DeleteRequest })),
    );
  if (action === 'TransactWriteItems')
    return input.TransactItems.flatMap(({ Put, Update, Delete }) => Put ?? Update ?? Delete ?? []);
  return [];
}
