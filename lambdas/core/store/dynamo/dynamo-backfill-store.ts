import { PutCommand } from './commands';

import { allEnded } from '../../async/all-ended';
import {
  backfillsKeyOf,
  EXECUTIONS_KEY,
  jobKeyOf,
  jobRefOf,
  projectBackfillsKeyOf,
  projectBackfillSortOf,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import type { BackfillsPage, BackfillStore, PlannedBackfill } from '../backfill-store';
import type { ExecutionRef } from '../execution-store';
import type { Row, TableAccess } from './access';
import { allOf } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const inPartition = '#jobId = :partition';
const isOlder = '#execId < :after';

/** One partition a job, and one a project. */
export const dynamoBackfillStore = (access: TableAccess): BackfillStore => ({
  /** Keys: the run's, in both partitions. No condition: the rows decide nothing. Cost: 2 write units. */
  async put({ jobKey, execId, ...counted }, expiresAtSec, options) {
    const ref = { jobKey, execId };
    const row = { ...counted, [TTL_ATTRIBUTE]: expiresAtSec };
    const putAt = (key: Row) =>
      access.documents.send(new PutCommand({ TableName: access.table, Item: { ...key, ...row } }), options);
    await allEnded([putAt(keyOf(ref)), putAt(keyInProject(ref))]);
  },
  /** Key: the run's. Consistent. Cost: 1 read unit. */
  async get(ref) {
    const row = await readRow(access, keyOf(ref));
    return row && plannedOf(ref, row);
  },
  /** Key: the job's partition, backwards. Consistent. Cost: 1 read unit each 4 KB of the page. */
  list: (jobKey, page) =>
    listBackwards(access, backfillsKeyOf(jobKey), page, (sort, row) =>
      plannedOf({ jobKey, execId: sort }, row),
    ),
  /** Key: the project's partition, backwards. Consistent. Cost: 1 read unit each 4 KB of the page. */
  listOfProject: (project, page) =>
    listBackwards(access, projectBackfillsKeyOf(project), page, (sort, row) => {
      const [execId = '', jobId = ''] = sort.split('#', 2);
      return plannedOf({ jobKey: jobKeyOf({ userId: project, jobId }), execId }, row);
    }),
});

const keyOf = ({ jobKey, execId }: ExecutionRef): Row => ({
  [EXECUTIONS_KEY.partition]: backfillsKeyOf(jobKey),
  [EXECUTIONS_KEY.sort]: execId,
});

const keyInProject = (ref: ExecutionRef): Row => ({
  [EXECUTIONS_KEY.partition]: projectBackfillsKeyOf(jobRefOf(ref.jobKey).userId),
  [EXECUTIONS_KEY.sort]: projectBackfillSortOf(ref),
});

async function listBackwards(
  access: TableAccess,
  partition: string,
  { after, limit }: { after?: string | undefined; limit: number },
  read: (sort: string, row: Row) => PlannedBackfill,
): Promise<BackfillsPage> {
  const { rows, more } = await queryRows(access, {
    condition: after === undefined ? inPartition : allOf(inPartition, isOlder),
    values: { ':partition': partition, ...(after !== undefined && { ':after': after }) },
    limit,
    backwards: true,
  });
  const sortOf = (row: Row) => row[EXECUTIONS_KEY.sort] as string;
  const last = rows.at(-1);
  return {
    backfills: rows.map((row) => read(sortOf(row), row)),
    ...(more && last && { nextAfter: sortOf(last) }),
  };
}

function plannedOf(ref: ExecutionRef, row: Row): PlannedBackfill {
  const {
    [EXECUTIONS_KEY.partition]: _,
    [EXECUTIONS_KEY.sort]: _sort,
    [TTL_ATTRIBUTE]: _ttl,
    ...counted
  } = row;
  return { ...counted, ...ref } as PlannedBackfill;
}
