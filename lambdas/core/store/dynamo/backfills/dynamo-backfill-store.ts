import { PutCommand } from '../commands';

import { backfillsKeyOf, EXECUTIONS_KEY, TTL_ATTRIBUTE } from '../../../contracts/tables';
import type { BackfillStore, PlannedBackfill } from '../../backfill-store';
import type { ExecutionRef } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { allOf } from '../expressions';
import { queryRows } from '../query-rows';
import { readRow } from '../read-row';

const ofJob = '#jobId = :job';
const isOlder = '#execId < :after';

/** One partition a job. */
export const dynamoBackfillStore = (access: TableAccess): BackfillStore => ({
  /** Key: the run's. No condition: the row decides nothing. Cost: 1 write unit. */
  async put({ jobKey, execId, ...counted }, expiresAtSec, options) {
    const Item = { ...keyOf({ jobKey, execId }), ...counted, [TTL_ATTRIBUTE]: expiresAtSec };
    await access.documents.send(new PutCommand({ TableName: access.table, Item }), options);
  },
  /** Key: the run's. Consistent. Cost: 1 read unit. */
  async get(ref) {
    const row = await readRow(access, keyOf(ref));
    return row && backfillOf(ref.jobKey, row);
  },
  /** Key: the job's partition, backwards. Consistent. Cost: 1 read unit each 4 KB of the page. */
  async list(jobKey, { after, limit }) {
    const { rows, more } = await queryRows(access, {
      condition: after === undefined ? ofJob : allOf(ofJob, isOlder),
      values: { ':job': backfillsKeyOf(jobKey), ...(after !== undefined && { ':after': after }) },
      limit,
      backwards: true,
    });
    const backfills = rows.map((row) => backfillOf(jobKey, row));
    const last = backfills.at(-1);
    return { backfills, ...(more && last && { nextAfter: last.execId }) };
  },
});

const keyOf = ({ jobKey, execId }: ExecutionRef): Row => ({
  [EXECUTIONS_KEY.partition]: backfillsKeyOf(jobKey),
  [EXECUTIONS_KEY.sort]: execId,
});

const backfillOf = (jobKey: string, row: Row): PlannedBackfill => {
  const { [EXECUTIONS_KEY.partition]: _job, [TTL_ATTRIBUTE]: _ttl, ...rest } = row;
  return { ...rest, jobKey } as PlannedBackfill;
};
