import { PutCommand, QueryCommand } from './commands';

import { auditKeyOf, EXECUTIONS_KEY } from '../../contracts/tables';
import type { AuditRecord } from '../../domain/audit';
import type { AuditStore } from '../audit-store';
import type { Row, TableAccess } from './access';
import { allOf, namesIn } from './expressions';

const ofProject = '#jobId = :project';
const inRange = '#execId BETWEEN :fromId AND :toId';
/** Below and above every id, which starts with a digit. */
const LOWEST_ID = '0';
const HIGHEST_ID = ':';

/** One partition a project, in Executions: TTL removes a record when its retention ends. */
export const dynamoAuditStore = (access: TableAccess): AuditStore => ({
  /** Key: the record's. No condition: an id has one writer, or means the same. Cost: 1 write unit. */
  async record(project, { id, ...record }) {
    const key: Row = { [EXECUTIONS_KEY.partition]: auditKeyOf(project), [EXECUTIONS_KEY.sort]: id };
    await access.documents.send(new PutCommand({ TableName: access.table, Item: { ...key, ...record } }));
  },
  list: (project, page) => listRecords(access, project, page),
});

/** Key: the project's partition, backwards. Consistent. Cost: 1 read unit each 4 KB of the page. */
async function listRecords(
  access: TableAccess,
  project: string,
  { fromId = LOWEST_ID, toId = HIGHEST_ID, after, limit }: Parameters<AuditStore['list']>[1],
): Promise<{ records: AuditRecord[]; nextAfter?: string }> {
  const endId = after !== undefined && after < toId ? after : toId;
  if (endId <= fromId) return { records: [] };
  const condition = allOf(ofProject, inRange);
  const { Items = [], LastEvaluatedKey } = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':project': auditKeyOf(project), ':fromId': fromId, ':toId': endId },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit + 1, // BETWEEN includes the upper bound, which is dropped
    }),
  );
  const records = Items.map(recordOf).filter(({ id }) => id < endId);
  const shown = records.slice(0, limit);
  const hasMore = shown.length < records.length || LastEvaluatedKey !== undefined;
  const last = shown.at(-1)?.id ?? (LastEvaluatedKey?.[EXECUTIONS_KEY.sort] as string | undefined);
  return { records: shown, ...(hasMore && last !== undefined && { nextAfter: last }) };
}

function recordOf(row: Row): AuditRecord {
  const { [EXECUTIONS_KEY.partition]: _project, [EXECUTIONS_KEY.sort]: id, ...record } = row;
  return { ...record, id } as AuditRecord;
}
