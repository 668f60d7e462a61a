import { DeleteCommand, PutCommand, QueryCommand } from './commands';

import { EXECUTIONS_KEY, jobRefOf, waitingKeyOf, waitingSortOf } from '../../contracts/tables';
import type { Waiting, WaitingRef, WaitingStore } from '../waiting-store';
import type { Row, TableAccess } from './access';
import { allOf, namesIn } from './expressions';
import { readRow } from './read-row';

const ofProject = '#jobId = :project';
const isLater = '#execId > :after';

/** One partition a project. */
export const dynamoWaitingStore = (access: TableAccess): WaitingStore => ({
  /** Key: the row's. No condition: what waits is written alike by all. Cost: 1 write unit. */
  async put(waiting) {
    const { execId, ...row } = waiting;
    const Item = { ...row, waits: execId, ...keyOf(waiting) };
    await access.documents.send(new PutCommand({ TableName: access.table, Item }));
  },
  /** Key: the row's. Cost: 1 read unit. */
  async get(ref) {
    const row = await readRow(access, keyOf(ref));
    return row && waitingOf(row);
  },
  /** Key: the row's. No condition. Cost: 1 write unit. */
  async remove(ref) {
    await access.documents.send(new DeleteCommand({ TableName: access.table, Key: keyOf(ref) }));
  },
  /** Key: the project's partition. Consistent. Cost: 1 read unit each 4 KB of the page. */
  async list(project, { after, limit }) {
    const condition = after === undefined ? ofProject : allOf(ofProject, isLater);
    const { Items = [], LastEvaluatedKey } = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: condition,
        ExpressionAttributeNames: namesIn(condition),
        ExpressionAttributeValues: {
          ':project': waitingKeyOf(project),
          ...(after !== undefined && { ':after': after }),
        },
        ConsistentRead: true,
        Limit: limit,
      }),
    );
    const nextAfter = LastEvaluatedKey?.[EXECUTIONS_KEY.sort] as string | undefined;
    return { rows: Items.map(waitingOf), ...(nextAfter !== undefined && { nextAfter }) };
  },
});

const keyOf = (ref: WaitingRef): Row => ({
  [EXECUTIONS_KEY.partition]: waitingKeyOf(jobRefOf(ref.jobKey).userId),
  [EXECUTIONS_KEY.sort]: waitingSortOf(ref),
});

function waitingOf(row: Row): Waiting {
  const { [EXECUTIONS_KEY.partition]: _project, [EXECUTIONS_KEY.sort]: _sort, waits, ...rest } = row;
  return { ...rest, execId: waits } as Waiting;
}
