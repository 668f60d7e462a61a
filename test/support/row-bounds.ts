import type { Item } from '../../local/services/dynamodb/engine/paths';
import {
  calendarSortOf,
  type JobRef,
  jobRefOf,
  TTL_ATTRIBUTE,
  type UsedKind,
  usesPrefixOf,
} from '../../lambdas/core/contracts/tables';

/** Kinds of rows that may be without a TTL, and what bounds them instead. */
const BOUNDED: Readonly<Record<string, string>> = {
  'jobs row': 'the quota `jobs`, a TTL once a job has ended, and 50 notifications a project',
  'jobs #key': 'one a job, deleted with it',
  'jobs #uses': 'what jobs use; the auditor removes the rest',
  'jobs #pings': 'one a monitor, with a TTL once it is deleted; one a project',
  'jobs #overlap': 'the lock of a job, held by an execution',
  'jobs #calendar': '200 calendars a project',
  'jobs #concurrency': '100 concurrency keys a project',
  'jobs #notifying': 'one a project',
  'jobs #secrets': 'one a project',
  'jobs #user': 'one a project',
  'jobs #signing': '100 hosts a project',
  'executions row': 'an execution under way: its end sets the TTL',
  'executions #secret': '100 secrets a project',
  'executions #ends-start': 'the deployment’s, one',
  'schedule #waits': 'one a project',
  'schedule #cursors': 'the deployment’s, one for eight shards',
  'schedule #shards': 'the deployment’s, one',
  'schedule #bookmark': 'the deployment’s, one a pass',
  'schedule #maintenance': 'the deployment’s, one',
  'schedule #stops': 'the deployment’s, one for each stop by an operator',
};

/** Kinds that may be without a TTL as long as another row names them: a pointer, a job, or a use. */
const NAMED: Readonly<Record<string, (version: string, ref: JobRef, jobs: Find) => boolean>> = {
  'executions #calendar': (version, { userId, jobId: calendarId }, find) => {
    const pointer = find({ userId, jobId: calendarSortOf(calendarId) });
    if (pointer?.version === version || (pointer?.changing as Item | undefined)?.from === version)
      return true;
    return isPruned('calendar-version', version, { userId, jobId: calendarId }, find);
  },
  'executions #flow': (version, ref, find) =>
    (find({ ...ref })?.workflow as Item | undefined)?.version === version ||
    isPruned('flow', version, ref, find),
};

/** The auditor lets a version expire before it removes the row of its use. */
const isPruned = (kind: UsedKind, version: string, { userId, jobId }: JobRef, find: Find): boolean =>
  find({ userId, jobId: usesPrefixOf(kind, version) + jobId }) !== undefined;

type Find = (key: Item) => Readonly<Item> | undefined;
/** Finds a row in a table of one world. */
type FindIn = (table: string, key: Item) => Readonly<Item> | undefined;

interface Written {
  TableName: string;
  Item?: Item;
  Key?: Item;
  RequestItems?: Record<string, { PutRequest?: { Item: Item } }[]>;
}

interface WrittenRow {
  find: FindIn;
  table: string;
  key: Item;
}

interface Watch {
  unbounded: Set<string>;
  /** Rows that must be named by the end, by their keys. */
  named: Map<string, WrittenRow>;
  withTtl: number;
}

const newWatch = (): Watch => ({ unbounded: new Set(), named: new Map(), withTtl: 0 });
let watch = newWatch();

/** Checks the rows that a request has written, by anything that has their keys. */
export function watchWritten(find: FindIn, command: string, input: unknown): void {
  for (const { table, key } of writtenBy(command, input as Written)) {
    const row = find(table, key);
    if (!row) continue;
    const kind = kindOfRow(table, row);
    if (TTL_ATTRIBUTE in row) watch.withTtl += 1;
    else if (Object.hasOwn(NAMED, kind))
      watch.named.set(`${String(row.jobId)} ${String(row.execId)}`, { find, table, key });
    else if (!Object.hasOwn(BOUNDED, kind)) watch.unbounded.add(kind);
  }
}

/** What nothing bounds of the rows since the last call, and how many writes left a row with a TTL. */
export function endOfWatch(): { unbounded: string[]; withTtl: number } {
  const { named, unbounded, withTtl } = watch;
  watch = newWatch();
  const unnamed = [...named].filter(([, written]) => !isNamed(written)).map(([name]) => name);
  return { unbounded: [...unbounded, ...unnamed], withTtl };
}

/** Whether a row is named, or has gone, or has a TTL by now. */
function isNamed({ find, table, key }: WrittenRow): boolean {
  const row = find(table, key);
  if (!row || TTL_ATTRIBUTE in row) return true;
  const ref = jobRefOf(String(row.jobId).replace(/^#\w+#/, ''));
  const jobs = table === 'executions' ? 'jobs' : 'Jobs';
  return NAMED[kindOfRow(table, row)]!(String(row.execId), ref, (named) => find(jobs, named));
}

function writtenBy(command: string, { TableName, Item, Key, RequestItems = {} }: Written) {
  if (command === 'PutCommand') return [{ table: TableName, key: Item! }];
  if (command === 'UpdateCommand') return [{ table: TableName, key: Key! }];
  if (command !== 'BatchWriteCommand') return [];
  return Object.entries(RequestItems).flatMap(([table, requests]) =>
    requests.flatMap(({ PutRequest }) => (PutRequest ? [{ table, key: PutRequest.Item }] : [])),
  );
}

/** `jobs #uses`: the table, and the first part of the key that begins with `#`; else `row`. */
function kindOfRow(tableName: string, { userId, jobId, bucket }: Item): string {
  const table = tableName.toLowerCase();
  const keys = table === 'jobs' ? [userId, jobId] : [table === 'schedule' ? bucket : jobId];
  const named = keys.map(String).find((key) => key.startsWith('#'));
  return `${table} ${named === undefined ? 'row' : /^#[^#/]*/.exec(named)![0]}`;
}
