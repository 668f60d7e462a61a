import { MemoryTable } from '../../../../../local/services/dynamodb/engine/memory-table';
import { expireTable } from '../../../../../local/services/dynamodb/expiry';

test('deletes the expired items of every slice, as they are when it gets there', () => {
  const table = new MemoryTable('Notes', { partition: 'pk', sort: 'sk' });
  const ROWS = 2_500;
  const keyOf = (index: number) => ({ pk: `user-${index % 7}`, sk: String(index) });
  for (let index = 0; index < ROWS; index++)
    table.put({ ...keyOf(index), ttl: index % 2 === 0 ? 4 : 5, text: 'x' });
  table.put({ pk: 'user-9', sk: 'renewed', ttl: 4 });
  table.put({ pk: 'user-9', sk: 'no-number', ttl: '1' });
  table.put({ pk: 'user-9', sk: 'without' });

  let slices = 0;
  for (const pauseMs of expireTable(table, 'ttl', { nowMs: () => 5_999 })) {
    expect(pauseMs).toBeGreaterThanOrEqual(0);
    if (++slices === 1) table.put({ pk: 'user-9', sk: 'renewed', ttl: 9 });
  }

  expect(slices).toBe(3);
  const left = [...table.all()].map(({ item }) => item);
  expect(left.filter(({ ttl }) => ttl === 4)).toEqual([]);
  expect(left.filter(({ ttl }) => ttl === 5)).toHaveLength(ROWS / 2);
  expect(left.filter(({ pk }) => pk === 'user-9').map(({ sk }) => sk)).toEqual([
    'no-number',
    'renewed',
    'without',
  ]);
});
