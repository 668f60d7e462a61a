import type { Item } from '../../../local/services/dynamodb/engine/paths';
import { TTL_ATTRIBUTE } from '../../../lambdas/core/contracts/tables';
import { kindOf } from '../../simulation/kinds';
import { simulate } from '../../simulation/simulate';
import { MemoryTables } from '../../support/dynamo/memory-tables';

/** Kinds of rows that may be without a TTL, and what bounds them instead. */
const BOUNDED: Readonly<Record<string, string>> = {
  'jobs row': 'the quota `jobs`, a TTL once a job has ended, and 50 notifications a project',
  'jobs #key': 'one a job, deleted with it',
  'jobs #uses': 'what jobs use; the auditor removes the rest',
  'jobs #overlap': 'the lock of a job, held by an execution',
  'jobs #calendar': '200 calendars a project',
  'jobs #concurrency': '100 concurrency keys a project',
  'jobs #notifying': 'one a project',
  'jobs #secrets': 'one a project',
  'jobs #user': 'one a project',
  'jobs #signing': '100 hosts a project',
  'executions row': 'an execution under way: its end sets the TTL',
  'executions #secret': '100 secrets a project',
  'executions #flow': 'the version that a job names; the next save sets the TTL',
  'executions #calendar': 'kept, as any job may name a version: `writtenBytesPerDay` is charged',
  'schedule #waits': 'one a project',
  'schedule #cursors': 'the deployment’s, one for eight shards',
  'schedule #shards': 'the deployment’s, one',
  'schedule #bookmark': 'the deployment’s, one a pass',
  'schedule #maintenance': 'the deployment’s, one',
  'schedule #stops': 'the deployment’s, one for each stop by an operator',
};

/** These draw every operation and every field, so that every kind of row is written. */
const PLAYED = ['everything:1-6', 'workflows:1-2'];

test('a row that no TTL removes is bounded by something else', async () => {
  const unbounded = new Set<string>();
  let withTtl = 0;
  const { apply } = MemoryTables.prototype;
  jest.spyOn(MemoryTables.prototype, 'apply').mockImplementation(function (this: MemoryTables, ...request) {
    const output = apply.call(this, ...request);
    for (const { table, key } of writtenBy(request[0], request[1] as unknown as Written)) {
      const row = this.row(table, key);
      if (row && TTL_ATTRIBUTE in row) withTtl += 1;
      else if (row && !Object.hasOwn(BOUNDED, kindOfRow(table, row))) unbounded.add(kindOfRow(table, row));
    }
    return output;
  });
  for (const play of PLAYED) {
    const { first, last, planOf } = kindOf(play);
    for (let seed = first; seed <= last; seed++) await simulate(planOf(seed));
  }
  expect([...unbounded]).toEqual([]);
  expect(withTtl).toBeGreaterThan(1_000);
});

interface Written {
  TableName: string;
  Item?: Item;
  Key?: Item;
  RequestItems?: Record<string, { PutRequest?: { Item: Item } }[]>;
}

/** The rows that a request has written, by anything that has their keys. */
function writtenBy(command: string, { TableName, Item, Key, RequestItems = {} }: Written) {
  if (command === 'PutCommand') return [{ table: TableName, key: Item! }];
  if (command === 'UpdateCommand') return [{ table: TableName, key: Key! }];
  if (command !== 'BatchWriteCommand') return [];
  return Object.entries(RequestItems).flatMap(([table, requests]) =>
    requests.flatMap(({ PutRequest }) => (PutRequest ? [{ table, key: PutRequest.Item }] : [])),
  );
}

/** `jobs #uses`: the table, and the first part of the key that begins with `#`; else `row`. */
function kindOfRow(table: string, { userId, jobId, bucket }: Item): string {
  const keys = table === 'jobs' ? [userId, jobId] : [table === 'schedule' ? bucket : jobId];
  const named = keys.map(String).find((key) => key.startsWith('#'));
  return `${table} ${named === undefined ? 'row' : /^#[^#/]*/.exec(named)![0]}`;
}
