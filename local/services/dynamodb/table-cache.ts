interface Table {
  TableStatus: string;
}
type Done = (error: unknown, table?: Table) => void;

/** The part of dynalite's store that reads table descriptions. */
export interface TableStore {
  /** `checkStatus: false` before `done` accepts a table in any state. Reads and writes of rows omit it. */
  getTable(name: string, ...args: [done: Done] | [checkStatus: false, done: Done]): void;
}

/**
 * Makes dynalite's store cache the descriptions of active tables. Without it, dynalite reads and decodes the
 * description for each row, also within a batch, which takes as long as reading the row.
 *
 * @returns a function that clears the cache; to be called when a request has changed a table, before its
 * response
 */
export function cacheTables(store: TableStore): () => void {
  const cache = new Map<string, Table>();
  const getTable = store.getTable.bind(store);
  store.getTable = (name, ...args) => {
    const [done] = args;
    if (!done) return getTable(name, ...args);
    const cached = cache.get(name);
    if (cached) return done(null, cached);
    getTable(name, (error, table) => {
      if (table?.TableStatus === 'ACTIVE') cache.set(name, table);
      done(error, table);
    });
  };
  return () => cache.clear();
}
