import { externalIdKeyOf, runTagKeyOf, TAG_SLOTS } from '../../contracts/label-keys';
import { dayOf, EXECUTIONS_KEY, sortWithinUserOf, TTL_ATTRIBUTE, userPartOf } from '../../contracts/tables';
import { shardOf } from '../../domain/shard';
import type { ExecutionRef } from '../execution-store';
import type { LabelledRef, LabelPartition, RunLabelStore } from '../run-label-store';
import type { TableAccess } from './access';
import { PutCommand } from './commands';
import { allOf } from './expressions';
import { queryRows } from './query-rows';

const { partition, sort } = EXECUTIONS_KEY;
const ofLabel = `#${partition} = :label`;
const inRange = `#${sort} BETWEEN :from AND :to`;

/** In Executions: TTL removes the rows with their executions. A row has its keys alone. */
export const dynamoRunLabelStore = (access: TableAccess): RunLabelStore => {
  /** No condition: a row means the same however often it is written. Cost: 1 write unit. */
  const put = async (key: string, ref: ExecutionRef, expiresAtSec: number): Promise<void> => {
    await access.documents.send(
      new PutCommand({
        TableName: access.table,
        Item: { [partition]: key, [sort]: sortWithinUserOf(ref), [TTL_ATTRIBUTE]: expiresAtSec },
      }),
    );
  };
  return {
    putRunTag: (ref, runTag, expiresAtSec) =>
      put(runTagKeyOf(userPartOf(ref.jobKey), runTag, dayOf(ref.execId), slotOf(ref)), ref, expiresAtSec),
    putExternalId: (ref, externalId, expiresAtSec) =>
      put(externalIdKeyOf(userPartOf(ref.jobKey), externalId), ref, expiresAtSec),

    /** Cost: half a read unit each 4 KB; one for an external id, so that a run is found at once. */
    async list(of, { fromExecId, toExecId, after = toExecId, limit }) {
      const key =
        'externalId' in of
          ? externalIdKeyOf(of.userPart, of.externalId)
          : runTagKeyOf(of.userPart, of.runTag, of.day, of.slot);
      if (after <= fromExecId) return [];
      const { rows } = await queryRows(access, {
        condition: allOf(ofLabel, inRange),
        values: { ':label': key, ':from': fromExecId, ':to': after },
        limit: limit + 1,
        backwards: true,
        consistent: 'externalId' in of,
      });
      const found = rows.map((row) => refAt(row[sort] as string, of));
      return found.filter(({ position }) => position < after).slice(0, limit);
    },
  };
};

const slotOf = ({ jobKey, execId }: ExecutionRef): number => shardOf(`${jobKey}/${execId}`, TAG_SLOTS);

function refAt(position: string, { userPart }: LabelPartition): LabelledRef {
  const at = position.indexOf('#');
  return { position, execId: position.slice(0, at), jobKey: `${userPart}/${position.slice(at + 1)}` };
}
