import { PutCommand } from '../commands';

import { EXECUTIONS_KEY, runInputsKeyOf, TTL_ATTRIBUTE } from '../../../contracts/tables';
import type { Params } from '../../../domain/workflow/params';
import type { RunInputRef, RunInputStore } from '../../run-input-store';
import type { Row, TableAccess } from '../access';
import { readRow } from '../read-row';

/** One partition a job. The parameters are JSON text, as their names are the user's. */
export const dynamoRunInputStore = (access: TableAccess): RunInputStore => ({
  /** Key: the run's. No condition: a repeated request has the same body. Cost: 1 write unit a KB. */
  async put(run, { params }, expiresAtSec, options) {
    const Item = { ...keyOf(run), params: JSON.stringify(params), [TTL_ATTRIBUTE]: expiresAtSec };
    await access.documents.send(new PutCommand({ TableName: access.table, Item }), options);
  },
  /** Key: the run's. Consistent. Cost: 1 read unit each 4 KB. */
  async get(run) {
    const row = await readRow(access, keyOf(run));
    return row && { params: JSON.parse(row.params as string) as Params };
  },
});

const keyOf = ({ jobKey, execId, paramsId }: RunInputRef): Row => ({
  [EXECUTIONS_KEY.partition]: runInputsKeyOf(jobKey),
  [EXECUTIONS_KEY.sort]: paramsId === undefined ? execId : `${execId}#${paramsId}`,
});
