import type { TableSpec } from '../../template/stack';
import type { TableKey } from './engine/rows';

/** Keys and indexes of the tables, by their names. */
export const schemaOf = (specs: readonly TableSpec[]): Record<string, TableKey> =>
  Object.fromEntries(
    specs.map(({ name, properties: { KeySchema, GlobalSecondaryIndexes = [] } }) => {
      const indexes = GlobalSecondaryIndexes.map((index) => [index.IndexName, keyOf(index.KeySchema)]);
      return [name, { ...keyOf(KeySchema), indexes: Object.fromEntries(indexes) as TableKey['indexes'] }];
    }),
  );

type KeySchema = TableSpec['properties']['KeySchema'];

const keyOf = ([partition, sort]: KeySchema) => ({
  partition: partition.AttributeName,
  sort: sort.AttributeName,
});
