import { PutCommand } from './commands';

import { awaitsKeyOf, awaitSortAfter, awaitSortOf, EXECUTIONS_KEY } from '../../contracts/tables';
import type { AwaitingTask, AwaitStore } from '../await-store';
import type { Row, TableAccess } from './access';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const ofJob = '#jobId = :awaited';
const endsLater = '#execId > :after';

/** One partition for each job that is awaited. Rows are under 1 KB. */
export const dynamoAwaitStore = (access: TableAccess): AwaitStore => ({
  /** Key: the row's. No condition: all who write it write the same. Cost: 1 write unit. */
  async put(awaited, task) {
    const { jobKey, execId, fromMs, toMs, expiresAtSec } = task;
    const Item = { ...keyOf(awaited, task), jobKey, waits: execId, fromMs, toMs, expiresAtSec };
    await access.documents.send(new PutCommand({ TableName: access.table, Item }));
  },
  /** Key: the row's. Cost: 1 read unit. */
  async has(awaited, task) {
    const row = await readRow(access, keyOf(awaited, task));
    return row?.fromMs === task.fromMs;
  },
  /** Key: the partition of the awaited job. Cost: 1 read unit each 4 KB. */
  async list(awaited, endsAfterMs) {
    const { rows } = await queryRows(access, {
      condition: `${ofJob} AND ${endsLater}`,
      values: { ':awaited': awaitsKeyOf(awaited), ':after': awaitSortAfter(endsAfterMs) },
    });
    return rows.map(awaitingOf);
  },
});

const keyOf = (awaited: string, task: Pick<AwaitingTask, 'jobKey' | 'execId' | 'toMs'>): Row => ({
  [EXECUTIONS_KEY.partition]: awaitsKeyOf(awaited),
  [EXECUTIONS_KEY.sort]: awaitSortOf(task),
});

const awaitingOf = ({ jobKey, waits, fromMs, toMs, expiresAtSec }: Row): AwaitingTask =>
  ({ jobKey, execId: waits, fromMs, toMs, expiresAtSec }) as AwaitingTask;
