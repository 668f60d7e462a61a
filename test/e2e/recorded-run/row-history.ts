import { rowsLeft, type RowsLeft, recordsOf, type TableKind } from '../../simulation/row-records';
import type { TableRecord } from '../../simulation/log';
import type { TimedRowWrite } from '../../support/local/host-protocol';

type Attribute = Record<string, unknown>;
type Row = Record<string, unknown>;

export interface RowHistory {
  records: { t: number; happening: TableRecord }[];
  left: RowsLeft;
}

/** The writes to the tables of a run as records for the checker, and the rows at the end. */
export function rowHistory(writes: readonly TimedRowWrite[]): RowHistory {
  const rows: Record<TableKind, Map<string, Row>> = {
    jobs: new Map(),
    executions: new Map(),
    schedule: new Map(),
  };
  const records = writes.flatMap(({ t, key: keyImage, row: image }) => {
    const key = plain(keyImage);
    const kind = kindOf(key);
    const name = JSON.stringify(Object.values(key));
    const before = rows[kind].get(name);
    const after = image && plain(image);
    if (after) rows[kind].set(name, after);
    else rows[kind].delete(name);
    return recordsOf({ kind, key, before, after }).map((happening) => ({ t, happening }));
  });
  return { records, left: rowsLeft((kind) => [...rows[kind].values()]) };
}

function kindOf(key: Row): TableKind {
  if ('bucket' in key) return 'schedule';
  if ('execId' in key) return 'executions';
  if ('userId' in key) return 'jobs';
  throw new Error(`no table has the key ${JSON.stringify(key)}`);
}

const plain = (image: Record<string, Attribute>): Row =>
  Object.fromEntries(Object.entries(image).map(([name, attribute]) => [name, valueOf(attribute)]));

/** DynamoDB's own JSON, unwrapped. */
function valueOf(attribute: Attribute): unknown {
  const [[type, value]] = Object.entries(attribute) as [[string, unknown]];
  if (type === 'S' || type === 'BOOL') return value;
  if (type === 'N') return Number(value);
  if (type === 'NULL') return null;
  if (type === 'L') return (value as Attribute[]).map(valueOf);
  if (type === 'M') return plain(value as Record<string, Attribute>);
  throw new Error(`no row is expected to have an attribute of the type ${type}`);
}
