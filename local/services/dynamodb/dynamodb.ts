import { denialMessage } from '../../iam/access';
import type { Clock } from '../../machine/clock';
import type { TableSpec } from '../../template/stack';
import { awsError, type AwsService, jsonOf } from '../aws-call';
import { attributesOf } from './engine/attributes';
import type { Input } from './engine/database';
import type { RowChange } from './engine/rows';
import { tableNameOf, Tables } from './engine/tables';
import { startExpiry } from './expiry';
import { dynamoDbOperations } from './operations';
import { dynamoDbPermissions, type PermissionInput } from './permissions';
import { schemaOf } from './schema';
import { openStoredRows } from './stored-rows';

/** A row in DynamoDB's JSON: `{ userId: { S: 'alice' } }`. */
export type RowImage = Record<string, Record<string, unknown>>;

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
  /** Receives lines for the terminal. */
  err(line: string): void;
  /** Called once if the tables can no longer be stored. No request can be answered after that. */
  onFailure(error: Error): void;
  /** See `StartOptions.onRowWrite`. */
  onRowWrite?: ((write: RowWrite) => void) | undefined;
}

/**
 * Starts the embedded DynamoDB: the tables of the template in memory, with a journal on disk. It answers when
 * all that it knows is on disk, so no caller sees a row that a crash could take back. Items expire from now
 * on.
 */
export async function startDynamoDb(specs: TableSpec[], options: DynamoDbOptions): Promise<AwsService> {
  const { clock, onFailure } = options;
  let changed = (_change: RowChange): void => undefined;
  const schema = schemaOf(specs);
  const tables = new Tables(schema, { onChange: (change) => changed(change) });
  const stored = await openStoredRows(tables, Object.keys(schema), options);
  const observe = observer(specs, options.onRowWrite);
  changed = (change) => {
    stored.append(change);
    observe(change);
  };
  const expiry = startExpiry(specs, tables, clock, onFailure);
  const operations = dynamoDbOperations(tables, specs);

  return {
    targetPrefix: 'DynamoDB_20120810.',
    async call(call) {
      const reply = operations(call.action, jsonOf(call) as Input);
      await stored.flushed();
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
