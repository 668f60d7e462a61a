interface Table {
  TableStatus: string;
}
type Done = (error: unknown, table?: Table) => void;

/** The part of dynalite's store that knows the tables. */
export interface TableStore {
  /** `false` stands before `done` where the table may be in any state: whoever reads or writes rows leaves it out. */
  getTable(name: string, ...asked: [done: Done] | [checkStatus: false, done: Done]): void;
}

/**
 * Makes dynalite's store remember the tables that are active. It reads and decodes the description of its table for each
 * row, also of a batch, which takes as long as to read the row.
 *
 * @returns what to call once a request has changed a table, before it is answered
 */
export function rememberTables(store: TableStore): () => void {
  const known = new Map<string, Table>();
  const getTable = store.getTable.bind(store);
  store.getTable = (name, ...asked) => {
    const [done] = asked;
    if (!done) return getTable(name, ...asked);
    const table = known.get(name);
    if (table) return done(null, table);
    getTable(name, (error, found) => {
      if (found?.TableStatus === 'ACTIVE') known.set(name, found);
      done(error, found);
    });
  };
  return () => known.clear();
}
