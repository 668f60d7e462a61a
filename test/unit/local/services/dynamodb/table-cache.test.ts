import { cacheTables, type TableStore } from '../../../../../local/services/dynamodb/table-cache';

/** A store with one table that counts its reads. */
function storeWith(table: { TableStatus: string } | undefined) {
  const read = { count: 0 };
  const store: TableStore = {
    getTable(_, ...args) {
      read.count += 1;
      const done = args.at(-1);
      if (typeof done === 'function') done(table ? null : new Error('not found'), table);
    },
  };
  const clear = cacheTables(store);
  const getTable = () =>
    new Promise((resolve, reject) =>
      store.getTable('t', (error, found) => (error instanceof Error ? reject(error) : resolve(found))),
    );
  return { store, read, clear, getTable };
}

test('an active table is read once, and again after a change', async () => {
  const { read, clear, getTable } = storeWith({ TableStatus: 'ACTIVE' });
  expect([await getTable(), await getTable()]).toEqual([
    { TableStatus: 'ACTIVE' },
    { TableStatus: 'ACTIVE' },
  ]);
  expect(read.count).toBe(1);
  clear();
  await getTable();
  expect(read.count).toBe(2);
});

test('a table that is being created, or is missing, is read again', async () => {
  const creating = storeWith({ TableStatus: 'CREATING' });
  await creating.getTable();
  await creating.getTable();
  expect(creating.read.count).toBe(2);
  const missing = storeWith(undefined);
  await expect(missing.getTable()).rejects.toThrow('not found');
  await expect(missing.getTable()).rejects.toThrow('not found');
  expect(missing.read.count).toBe(2);
});

test('a call that accepts any state is not cached', async () => {
  const { store, read, getTable } = storeWith({ TableStatus: 'ACTIVE' });
  await getTable();
  const found = await new Promise((resolve) => store.getTable('t', false, (_, table) => resolve(table)));
  expect(found).toEqual({ TableStatus: 'ACTIVE' });
  expect(read.count).toBe(2);
});
