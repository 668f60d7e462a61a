import type { RowChange } from '../../../../../../local/services/dynamodb/engine/rows';
import { Tables } from '../../../../../../local/services/dynamodb/engine/tables';

const KEY = { partition: 'pk', sort: 'sk', indexes: { byDay: { partition: 'day', sort: 'at' } } };
type Item = Record<string, unknown>;

function notes() {
  const changes: RowChange[] = [];
  const tables = new Tables({ Notes: KEY }, { onChange: (change) => changes.push(change) });
  const put = (pk: string, sk: string, more: Item = {}) =>
    tables.request('PutItem', { TableName: 'Notes', Item: { pk, sk, ...more } });
  const remove = (pk: string, sk: string) =>
    tables.request('DeleteItem', { TableName: 'Notes', Key: { pk, sk } });
  /** All rows of a query or scan, page by page. `between` is called after each page. */
  const pages = (operation: string, input: Item, between: () => void = () => undefined): Item[] => {
    const found: Item[] = [];
    let ExclusiveStartKey: unknown;
    do {
      const page = tables.request(operation, { TableName: 'Notes', ...input, ExclusiveStartKey });
      found.push(...(page.Items as Item[]));
      ExclusiveStartKey = page.LastEvaluatedKey;
      between();
    } while (ExclusiveStartKey);
    return found;
  };
  return { tables, changes, put, remove, pages };
}

const onDay = (day: string, more: Item = {}) => ({
  IndexName: 'byDay',
  KeyConditionExpression: '#day = :day',
  ExpressionAttributeNames: { '#day': 'day' },
  ExpressionAttributeValues: { ':day': day },
  ...more,
});

describe('an index', () => {
  test('has each row once, in order, on pages of any size and in both directions', () => {
    const { put, pages } = notes();
    for (let index = 0; index < 20; index++)
      put(`p${index % 4}`, `s${index}`, { day: 'monday', at: `0${index % 3}` }); // several rows share a key
    put('p0', 'other', { day: 'tuesday', at: '00' });
    put('p0', 'unlisted', { day: 'monday' });
    for (const Limit of [1, 3, 7, 100]) {
      const found = pages('Query', onDay('monday', { Limit }));
      expect(found).toHaveLength(20);
      expect(new Set(found.map(({ sk }) => sk)).size).toBe(20);
      expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at as string).sort());
      const backwards = pages('Query', onDay('monday', { Limit, ScanIndexForward: false }));
      expect(backwards.map(({ sk }) => sk)).toEqual(found.map(({ sk }) => sk).reverse());
    }
  });

  test('follows its rows: they move, leave and are deleted', () => {
    const { put, remove, pages } = notes();
    put('p', '1', { day: 'monday', at: '1' });
    put('p', '2', { day: 'monday', at: '2' });
    put('p', '3', { day: 'monday', at: '3' });
    put('p', '1', { day: 'tuesday', at: '1' });
    put('p', '2');
    remove('p', '3');
    expect(pages('Query', onDay('monday'))).toEqual([]);
    expect(pages('Query', onDay('tuesday'))).toEqual([{ pk: 'p', sk: '1', day: 'tuesday', at: '1' }]);
  });

  test('keeps a range of sort keys in both directions', () => {
    const { put, pages } = notes();
    for (let at = 0; at < 9; at++) put(`p${at}`, 's', { day: 'monday', at: `0${at}` });
    for (const [condition, expected] of [
      ['#at BETWEEN :a AND :b', ['02', '03', '04', '05']],
      ['#at <= :b AND', ['00', '01', '02', '03', '04', '05']],
      ['#at > :b AND', ['06', '07', '08']],
    ] as [string, string[]][]) {
      const values = { ':day': 'monday', ':b': '05', ...(condition.includes(':a') && { ':a': '02' }) };
      const input = {
        IndexName: 'byDay',
        KeyConditionExpression: `#day = :day AND ${condition.replace(/ AND$/, '')}`,
        ExpressionAttributeNames: { '#day': 'day', '#at': 'at' },
        ExpressionAttributeValues: values,
        Limit: 2,
      };
      expect(pages('Query', input).map(({ at }) => at)).toEqual(expected);
      const backwards = pages('Query', { ...input, ScanIndexForward: false });
      expect(backwards.map(({ at }) => at)).toEqual([...expected].reverse());
    }
  });

  test('refuses a key that is not a string, and keeps the row as it was', () => {
    const { put, tables, changes } = notes();
    put('p', '1', { day: 'monday', at: '1' });
    expect(() => put('p', '1', { day: 'monday', at: 1 })).toThrow('Type mismatch for Index Key at');
    const { Item } = tables.request('GetItem', { TableName: 'Notes', Key: { pk: 'p', sk: '1' } });
    expect(Item).toMatchObject({ at: '1' });
    expect(changes).toHaveLength(1);
  });
});

describe('a scan', () => {
  test('goes on behind a row, and behind a partition, that is deleted between two pages', () => {
    const { put, remove, pages } = notes();
    for (let pk = 0; pk < 6; pk++) for (let sk = 0; sk < 2; sk++) put(`p${pk}`, `s${sk}`);
    let page = 0;
    const found = pages('Scan', { Limit: 4 }, () => {
      page += 1;
      // The last row of the first page is the last one of its partition.
      if (page === 1) for (const sk of ['s0', 's1']) remove('p1', sk);
      if (page === 2) remove('p3', 's1');
    });
    expect(found.map(({ pk, sk }) => `${String(pk)} ${String(sk)}`)).toEqual(
      [0, 1, 2, 3, 4, 5].flatMap((pk) => [`p${pk} s0`, `p${pk} s1`]),
    );
  });
});

test('each change is reported with the row after it, and none for a refused or empty one', () => {
  const { put, remove, changes, tables } = notes();
  put('p', '1', { text: 'one' });
  expect(() =>
    tables.request('PutItem', {
      TableName: 'Notes',
      Item: { pk: 'p', sk: '1' },
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  ).toThrow('The conditional request failed');
  remove('p', 'unknown');
  remove('p', '1');
  expect(changes).toEqual([
    { table: 'Notes', key: ['p', '1'], item: { pk: 'p', sk: '1', text: 'one' } },
    { table: 'Notes', key: ['p', '1'], item: undefined },
  ]);
});
