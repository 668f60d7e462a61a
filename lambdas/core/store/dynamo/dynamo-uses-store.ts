import { PutCommand } from './commands';

import { JOBS_KEY, USES, type UsedKind, usesPrefixOf } from '../../contracts/tables';
import { allEnded } from '../../async/all-ended';
import type { Use, UsesStore } from '../uses-store';
import type { Row, TableAccess } from './access';
import { conditionalDelete } from './conditional-write';
import { queryRows } from './query-rows';

const { partition, sort } = JOBS_KEY;
const keyOf = ({ userId, kind, name, jobId }: Use): Row => ({
  [partition]: userId,
  [sort]: usesPrefixOf(kind, name) + jobId,
});

const ofThing = `#${partition} = :userId AND begins_with(#${sort}, :prefix)`;
const isUnchanged = '#atMs = :atMs';

/** Beside the jobs, in rows under 1 KB. Cost: 1 write unit a row; 1 read unit each 4 KB. */
export const dynamoUsesStore = (access: TableAccess): UsesStore => ({
  async put(uses) {
    await allEnded(
      uses.map((use) =>
        access.documents.send(
          new PutCommand({ TableName: access.table, Item: { ...keyOf(use), atMs: use.atMs } }),
        ),
      ),
    );
  },

  async list(userId, kind, name, { after, limit }) {
    const prefix = usesPrefixOf(kind, name);
    const { rows } = await queryRows(access, {
      condition: ofThing,
      values: { ':userId': userId, ':prefix': prefix },
      after: after === undefined ? undefined : { [partition]: userId, [sort]: prefix + after },
      limit,
    });
    return rows.map(useOf);
  },

  async listKind(userId, kind, { after, limit }) {
    const { rows } = await queryRows(access, {
      condition: ofThing,
      values: { ':userId': userId, ':prefix': `${USES}${kind}/` },
      after: after && keyOf(after),
      limit,
      consistent: false,
    });
    return rows.map(useOf);
  },

  async remove(use) {
    await conditionalDelete(access, {
      Key: keyOf(use),
      ConditionExpression: isUnchanged,
      ExpressionAttributeValues: { ':atMs': use.atMs },
    });
  },
});

/** A use by its row. */
export function useOf(row: Row): Use {
  const [kind, name, jobId] = (row[sort] as string).slice(USES.length).split('/');
  return {
    userId: row[partition] as string,
    jobId: jobId!,
    kind: kind as UsedKind,
    name: name!,
    atMs: row.atMs as number,
  };
}
