import type { Mutant } from './mutant';

const JOURNAL = 'local/services/dynamodb/journal';
const ENGINE = 'local/services/dynamodb/engine';
const CRASHES = 'test/unit/local/services/dynamodb/journal/crashes.test.ts';
const FAILURES = 'test/unit/local/services/dynamodb/journal/failures.test.ts';
const ORDER = 'test/unit/local/services/dynamodb/journal/journal.test.ts';
const RECOVERY = 'test/unit/local/services/dynamodb/journal/recovery.test.ts';
const TABLES = 'test/unit/local/services/dynamodb/engine/tables.test.ts';
const EDGE = 'test/unit/local/services/edge.test.ts';
const API = 'test/unit/local/sources/http-api.test.ts';
const PORT = 'local/services/port-endpoint.ts';
const TRANSPORT = 'test/unit/local/services/port-endpoint.test.ts';
const SERVICE = 'test/unit/local/services/dynamodb/dynamodb.test.ts';

/** Faults in the tables of a local run, and in what keeps them on disk. */
export const tableMutants: readonly Mutant[] = [
  {
    name: 'a change is acknowledged before it is synced',
    file: `${JOURNAL}/journal.ts`,
    find: '    await this.at.file.sync();\n    this.at.position += bytes.length;',
    replace: '    this.at.position += bytes.length;',
    killedBy: CRASHES,
  },
  {
    name: 'a snapshot counts before the changes in it are in the journal',
    file: `${JOURNAL}/journal.ts`,
    find: '      await this.flushed();\n',
    replace: '',
    killedBy: ORDER,
    test: 'counts once all changes',
  },
  {
    name: 'files are removed before the snapshot that replaces them is on disk',
    file: `${JOURNAL}/snapshot.ts`,
    find: '  await files.sync();\n  for',
    replace: '  for',
    killedBy: CRASHES,
  },
  {
    name: 'a snapshot without its end counts',
    file: `${JOURNAL}/recovery.ts`,
    find: "  if (expected === undefined) throw damaged(files, name, size, 'its end is missing');\n  if (expected !== rows)",
    replace: '  if (expected !== undefined && expected !== rows)',
    killedBy: RECOVERY,
  },
  {
    name: 'an incomplete last write stays in the file',
    file: `${JOURNAL}/recovery.ts`,
    find: '    if (size > position) await file.truncate(position);\n',
    replace: '',
    killedBy: CRASHES,
  },
  {
    name: 'the last write is not written again, so a sync that failed before is forgotten',
    file: `${JOURNAL}/recovery.ts`,
    find: '    else await rewriteLastWrite(files, name, file, content);\n',
    replace: '    else void rewriteLastWrite;\n',
    killedBy: FAILURES,
  },
  {
    name: 'acknowledgements go on after a failed sync',
    file: `${JOURNAL}/journal.ts`,
    find: '    if (this.failure) return Promise.reject(this.failure);\n',
    replace: '',
    killedBy: FAILURES,
  },
  {
    name: 'an answer does not wait for the journal',
    file: 'local/services/dynamodb/dynamodb.ts',
    find: '      if (!isAtEdge(call.caller)) await stored.flushed();\n',
    replace: '',
    killedBy: SERVICE,
    test: 'no answer before',
  },
  {
    name: 'a response leaves before what it tells of is on disk',
    file: 'local/sources/http-api.ts',
    find: '      .then((reply) => deps.flushed().then(() => reply))\n',
    replace: '',
    killedBy: API,
  },
  {
    name: 'a function with a queue is at the edge, though it may call targets',
    file: 'local/services/edge.ts',
    find: '[...mappings, ...streamMappings, ...schedules]',
    replace: '[...streamMappings, ...schedules]',
    killedBy: EDGE,
  },
  {
    name: 'what outlives the process does not wait for the rows that it follows from',
    file: 'local/services/edge.ts',
    find: '    if (isAtEdge(call.caller)) await flushed();\n',
    replace: '',
    killedBy: EDGE,
  },
  {
    name: 'a call that its function has given up goes on',
    file: PORT,
    find: 'return open.get(message.aborted)?.abort();',
    replace: 'return;',
    killedBy: TRANSPORT,
  },
  {
    name: 'a call goes on after the environment that made it has ended',
    file: PORT,
    find: '    for (const disconnected of open.values()) disconnected.abort();\n',
    replace: '',
    killedBy: TRANSPORT,
  },
  {
    name: 'messages carry more than HTTP does',
    file: PORT,
    find: 'async () => withinLimit(body)',
    replace: 'async () => withinLimit(body) ?? body',
    killedBy: TRANSPORT,
  },
  {
    name: 'an index keeps the row as it was',
    file: `${ENGINE}/memory-table.ts`,
    find: '    this.changeIndexes(before, stored);\n',
    replace: '    this.changeIndexes(undefined, stored);\n',
    killedBy: TABLES,
    test: 'follows its rows',
  },
  {
    name: 'a scan ends at a partition that is gone',
    file: `${ENGINE}/partitions.ts`,
    find: "const from = partition === after?.[0] ? after[1] : '';",
    replace:
      "if (after && !this.partitions.get(after[0])) return;\n      const from = partition === after?.[0] ? after[1] : '';",
    killedBy: TABLES,
    test: 'goes on behind',
  },
];
