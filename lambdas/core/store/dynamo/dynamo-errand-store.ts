import { CONTROL_SORT, errandKeyOf, EXECUTIONS_KEY } from '../../contracts/tables';
import type { ErrandRow, ErrandStore, IdentifiedErrand } from '../errand-store';
import type { Row, TableAccess } from './access';
import { PutCommand } from './commands';
import { conditionalPut, conditionalUpdate } from './conditional-write';
import { updateOf } from './expressions';
import { readRow } from './read-row';

const isNew = 'attribute_not_exists(#execId)';
const exists = 'attribute_exists(#execId)';

/** A partition for each errand, in Executions: its event knows the name alone. */
export const dynamoErrandStore = (access: TableAccess): ErrandStore => {
  /** Key: the errand's. Consistent. Cost: 1 read unit. */
  const get: ErrandStore['get'] = async (name) => {
    const row = await readRow(access, keyOf(name));
    return row && errandOf(name, row);
  };
  return {
    /**
     * Key: the errand's. Condition: no row. Cost: 1 write unit. Lost race: the row that is there. Its time
     * and input show whether an earlier try of this call has written it.
     */
    async put({ name, execId, ...rest }) {
      const Item: Row = { ...keyOf(name), ofExecId: execId, ...rest };
      const answer = await conditionalPut(access, { Item, ConditionExpression: isNew });
      const row = { name, execId, ...rest };
      if (answer.applied) return { row, isNew: true };
      const current = answer.current ?? (await readRow(access, keyOf(name)));
      if (!current) throw new Error(`the row of the errand ${name} has come and gone`);
      const found = errandOf(name, current);
      const isEarlierTry =
        answer.retried && found.firstStartAtMs === row.firstStartAtMs && found.inputHash === row.inputHash;
      return { row: found, isNew: isEarlierTry };
    },
    get,
    /** Key: the errand's, by its id. Condition: none, for a run has one name. Cost: 1 write unit. */
    async keepId(errand, errandName, expiresAtSec) {
      const Item: Row = { ...keyOf(idOf(errand)), errandName, expiresAtSec };
      await access.documents.send(new PutCommand({ TableName: access.table, Item }));
    },
    /** Keys: by the id, then by the name. Consistent. Cost: 2 read units. */
    async getById(errand) {
      const row = await readRow(access, keyOf(idOf(errand)));
      return row && get(row.errandName as string);
    },
    /** Key: the errand's. Condition: it has a row. Cost: 1 write unit. */
    async loseSight({ name, id }, atMs) {
      await conditionalUpdate(access, {
        Key: keyOf(name),
        ConditionExpression: exists,
        UpdateExpression: updateOf({
          set: ['#lostSightAtMs = :atMs', ...(id === undefined ? [] : ['#id = :id'])],
        }),
        ExpressionAttributeValues: { ':atMs': atMs, ...(id !== undefined && { ':id': id }) },
      });
    },
  };
};

const idOf = ({ resource, id }: IdentifiedErrand): string => `${resource}/${id}`;

const keyOf = (name: string): Row => ({
  [EXECUTIONS_KEY.partition]: errandKeyOf(name),
  [EXECUTIONS_KEY.sort]: CONTROL_SORT,
});

function errandOf(name: string, row: Row): ErrandRow {
  const { [EXECUTIONS_KEY.partition]: _key, [EXECUTIONS_KEY.sort]: _sort, ofExecId, ...rest } = row;
  return { ...rest, name, execId: ofExecId } as ErrandRow;
}
