import { UpdateCommand } from '../commands';

import { DAY_MS, SECOND_MS } from '../../../clock/clock';
import { expectationSortOf, JOBS_KEY, type JobRef, TTL_ATTRIBUTE } from '../../../contracts/tables';
import type { Expectation } from '../../../domain/expectation';
import type { Row, TableAccess } from '../access';
import { namesIn } from '../expressions';
import { readRow } from '../read-row';

const { partition, sort } = JOBS_KEY;
/** An expectation is forgotten so long after its time. */
const EXPECTATION_KEPT_MS = 90 * DAY_MS;
const SET_EXPECTATION = `SET #sinceMs = :sinceMs, #atMs = :atMs, #${TTL_ATTRIBUTE} = :expiresAtSec`;

const expectationKey = ({ userId, jobId }: JobRef): Row => ({
  [partition]: userId,
  [sort]: expectationSortOf(jobId),
});

/** Beside the job. Consistent. Cost: 1 read unit. */
export async function readExpectation(access: TableAccess, ref: JobRef): Promise<Expectation | undefined> {
  const row = await readRow(access, expectationKey(ref));
  return row && { sinceMs: row.sinceMs as number, atMs: row.atMs as number };
}

/** Cost: 1 write unit. */
export async function putExpectation(
  access: TableAccess,
  ref: JobRef,
  { sinceMs, atMs }: Expectation,
): Promise<void> {
  await access.documents.send(
    new UpdateCommand({
      TableName: access.table,
      Key: expectationKey(ref),
      UpdateExpression: SET_EXPECTATION,
      ExpressionAttributeNames: namesIn(SET_EXPECTATION),
      ExpressionAttributeValues: {
        ':sinceMs': sinceMs,
        ':atMs': atMs,
        ':expiresAtSec': Math.ceil((atMs + EXPECTATION_KEPT_MS) / SECOND_MS),
      },
    }),
  );
}
