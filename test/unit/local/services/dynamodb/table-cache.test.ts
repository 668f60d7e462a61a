import { rememberTables, type TableStore } from '../../../../../local/services/dynamodb/table-cache';

/** A store with one table, which counts how often it is read. */
function storeWith(table: { TableStatus: string } | undefined) {
  const read = { count: 0 };
  const store: TableStore = {
    getTable(_, ...asked) {
      read.count += 1;
      const done = asked.at(-1);
      if (typeof done === 'function') done(table ? null : new Error('not found'), table);
    },
  };
  const forget = rememberTables(store);
  const ask = () =>
    new Promise((resolve, reject) =>
      store.getTable('t', (error, found) => (error instanceof Error ? reject(error) : resolve(found))),
    );
  return { store, read, forget, ask };
}

test('an active table is read once, and again after a change', async () => {
  const { read, forget, ask } = storeWith({ TableStatus: 'ACTIVE' });
  expect([await ask(), await ask()]).toEqual([{ TableStatus: 'ACTIVE' }, { TableStatus: 'ACTIVE' }]);
  expect(read.count).toBe(1);
  forget();
  await ask();
  expect(read.count).toBe(2);
});

test('a table that is being made, or is not there, is asked for again', async () => {
  const making = storeWith({ TableStatus: 'CREATING' });
  await making.ask();
  await making.ask();
  expect(making.read.count).toBe(2);
  const missing = storeWith(undefined);
  await expect(missing.ask()).rejects.toThrow('not found');
  await expect(missing.ask()).rejects.toThrow('not found');
  expect(missing.read.count).toBe(2);
});

test('whoever asks for its state is told of it as it is', async () => {
  const { store, read, ask } = storeWith({ TableStatus: 'ACTIVE' });
  await ask();
  const found = await new Promise((resolve) => store.getTable('t', false, (_, table) => resolve(table)));
  expect(found).toEqual({ TableStatus: 'ACTIVE' });
  expect(read.count).toBe(2);
});
