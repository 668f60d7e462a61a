import { denialMessage } from '../../iam/access';
import type { Clock } from '../../machine/clock';
import type { TableSpec } from '../../template/stack';
import { STREAM_LABEL } from '../../template/types/dynamodb';
import { awsError, awsJson, type AwsReply, type AwsService, jsonOf } from '../aws-call';
import type { IsAtEdge } from '../edge';
import { ATTRIBUTES, attributesOf } from './engine/attributes';
import type { Input } from './engine/database';
import { Refusal, Unsupported } from './engine/errors';
import type { OnChange, RowChange, TableKey } from './engine/rows';
import { tableNameOf, Tables } from './engine/tables';
import { startExpiry } from './expiry';
import { dynamoDbPermissions, type PermissionInput } from './permissions';
import { openStoredRows } from './stored-rows';
import { STREAM_KEY, STREAM_SUFFIX, streamTableOf, TableStream, type Wanted } from './table-stream';

/** A row in DynamoDB's JSON: `{ userId: { S: 'alice' } }`. */
type RowImage = Record<string, Record<string, unknown>>;

/** A write of a row. */
export interface RowWrite {
  /** Logical id of its table. */
  table: string;
  key: RowImage;
  /** The row after the write; undefined if it was deleted. */
  row: RowImage | undefined;
}

interface DynamoDbOptions {
  region: string;
  accountId: string;
  /** Folder of the tables; undefined keeps them in memory. */
  storePath: string | undefined;
  clock: Clock;
  /** Who gets answers before they are on disk. @default no caller */
  isAtEdge?: IsAtEdge | undefined;
  /** Receives lines for the terminal. */
  err(line: string): void;
  /** Called once if the tables can no longer be stored. No request can be answered after that. */
  onFailure(error: Error): void;
  /** What readers of a stream, by its ARN, want of it; undefined: the stream has no reader. */
  wanted?(streamArn: string): Wanted | undefined;
  /** See `StartOptions.onRowWrite`. */
  onRowWrite?: ((write: RowWrite) => void) | undefined;
}

interface EmbeddedTables extends AwsService {
  streams: readonly TableStream[];
  /** Resolves when all changes so far are on disk. Rejects once they can no longer be stored. */
  flushed(): Promise<void>;
}

/**
 * Starts the embedded DynamoDB: the tables of the template in memory, with a journal on disk. It answers when
 * all that it knows is on disk, so no caller sees a row that a crash could take back. Functions at the edge
 * have their answers at once: who passes them on waits for `flushed`. Items expire from now on.
 */
export async function startDynamoDb(specs: TableSpec[], options: DynamoDbOptions): Promise<EmbeddedTables> {
  const { clock, onFailure, isAtEdge = () => false } = options;
  let changed: OnChange = () => undefined;
  const schema = schemaOf(specs);
  const tables = new Tables(schema, { onChange: (...change) => changed(...change) });
  const stored = await openStoredRows(tables, Object.keys(schema), options);
  const streams = new Map(streamsOf(specs, tables, options).map((stream) => [stream.tableName, stream]));
  const observe = observer(specs, options.onRowWrite);
  changed = (change, before) => {
    stored.append(change);
    streams.get(change.table)?.add(change, before);
    if (!change.table.endsWith(STREAM_SUFFIX)) observe(change);
  };
  const expiry = startExpiry(specs, tables, clock, onFailure);
  const operations = dynamoDbOperations(tables, specs);

  return {
    targetPrefix: 'DynamoDB_20120810.',
    async call(call) {
      const reply = operations(call.action, jsonOf(call) as Input);
      if (!isAtEdge(call.caller)) await stored.flushed();
      return reply;
    },
    permissions: (call) =>
      dynamoDbPermissions(
        call.action,
        jsonOf(call) as PermissionInput,
        options,
        (table) => schema[tableNameOf(table)]?.partition,
      ),
    denied: (denial) =>
      awsError(400, 'com.amazon.coral.service#AccessDeniedException', denialMessage(denial)),
    streams: [...streams.values()],
    flushed: () => stored.flushed(),
    async stop() {
      expiry.stop();
      await stored.close();
    },
  };
}

/** Reports each change as the API spells rows. */
function observer(
  specs: readonly TableSpec[],
  onRowWrite: DynamoDbOptions['onRowWrite'],
): (change: RowChange) => void {
  if (!onRowWrite) return () => undefined;
  const byName = new Map(specs.map((spec) => [spec.name, spec]));
  return ({ table, key, item }) => {
    const { logicalId, properties } = byName.get(table)!;
    const keyImage = properties.KeySchema.map(({ AttributeName }, index) => [
      AttributeName,
      { S: key[index]! },
    ]);
    onRowWrite({
      table: logicalId,
      key: Object.fromEntries(keyImage) as RowImage,
      row: item && (attributesOf(item) as unknown as RowImage),
    });
  };
}

/** Keys and indexes of the tables, by their names. */
const schemaOf = (specs: readonly TableSpec[]): Record<string, TableKey> =>
  Object.fromEntries(
    specs.flatMap(({ name, properties: { KeySchema, GlobalSecondaryIndexes = [], StreamSpecification } }) => {
      const indexes = GlobalSecondaryIndexes.map((index) => [index.IndexName, keyOf(index.KeySchema)]);
      const table = { ...keyOf(KeySchema), indexes: Object.fromEntries(indexes) as TableKey['indexes'] };
      return [[name, table], ...(StreamSpecification ? [[streamTableOf(name), STREAM_KEY]] : [])];
    }),
  ) as Record<string, TableKey>;

/** The streams that have readers. */
const streamsOf = (
  specs: readonly TableSpec[],
  tables: Tables,
  { wanted, clock, region }: DynamoDbOptions,
): TableStream[] =>
  specs.flatMap((spec) => {
    const filter = wanted?.(streamArnOf(spec));
    if (!spec.properties.StreamSpecification || !filter) return [];
    const records = tables.table(streamTableOf(spec.name));
    return new TableStream({ spec, arn: streamArnOf(spec), records, wanted: filter, clock, region });
  });

/** The streams are as old as the tables. */
const streamArnOf = ({ arn }: TableSpec): string => `${arn}${STREAM_LABEL}`;

type KeySchema = TableSpec['properties']['KeySchema'];

const keyOf = ([partition, sort]: KeySchema) => ({
  partition: partition.AttributeName,
  sort: sort.AttributeName,
});

const API = 'com.amazonaws.dynamodb.v20120810#';
const VALIDATION = 'com.amazon.coral.validate#ValidationException';

/** Answers requests in the JSON of DynamoDB's API: those of the engine, and two that describe the tables. */
function dynamoDbOperations(
  tables: Tables,
  specs: readonly TableSpec[],
): (action: string, input: Input) => AwsReply {
  return (action, input) => {
    try {
      if (action === 'ListTables') return awsJson({ TableNames: specs.map(({ name }) => name) });
      if (action === 'DescribeTable') {
        const { name } = tables.table(input.TableName as string);
        return awsJson({ Table: descriptionOf(specs.find((spec) => spec.name === name)!) });
      }
      return awsJson(tables.request(action, input, { notation: ATTRIBUTES }));
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      if (error instanceof Unsupported) return awsError(400, VALIDATION, `The local run: ${error.message}`);
      throw error;
    }
  };
}

function refused({ name, message, item }: Refusal): AwsReply {
  const type = name === 'ValidationException' ? VALIDATION : API + name;
  const reply = awsError(400, type, message);
  if (!item) return reply;
  return { ...reply, body: JSON.stringify({ __type: type, message, Item: attributesOf(item) }) };
}

function descriptionOf({ name, arn, properties }: TableSpec) {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = properties;
  return {
    TableName: name,
    TableArn: arn,
    TableStatus: 'ACTIVE',
    AttributeDefinitions,
    KeySchema,
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
      IndexStatus: 'ACTIVE',
    })),
  };
}
