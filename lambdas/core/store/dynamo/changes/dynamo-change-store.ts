import { gunzipSync, gzipSync } from 'node:zlib';

import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import { changeSortOf, changesKeyOf, EXECUTIONS_KEY } from '../../../contracts/tables';
import type { JobDefinition } from '../../../domain/job';
import type { KeptState, StateId } from '../../../domain/job-state';
import type { ChangeStore } from '../../change-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, namesIn, updateOf } from '../expressions';

const ofJob = '#jobId = :job';
const inRange = '#execId BETWEEN :from AND :before';
const exists = 'attribute_exists(#execId)';
/** Below and above every sort key, which starts with a digit. */
const LOWEST = '0';
const HIGHEST = ':';

/**
 * One partition a job, in Executions: TTL removes a state when its retention ends. The definition is JSON in
 * gzip and base64, so it comes back to the byte, and most rows are below 1 KB.
 */
export const dynamoChangeStore = (access: TableAccess): ChangeStore => ({
  /**
   * Key: the state's. No condition: all who write it write the same state. Only `removed` and the end of
   * retention may differ. Cost: 1 write unit a KB of the compressed state.
   */
  async put(jobKey, state, options) {
    await access.documents.send(
      new PutCommand({ TableName: access.table, Item: rowOf(jobKey, state) }),
      options,
    );
  },
  list: (jobKey, page) => listStates(access, jobKey, page),
  /**
   * Key: the state's. Condition: the row exists. Cost: 1 write unit a KB of the row. Lost race: a request
   * that read the state while it was the job's own, and writes it now, brings the definition back.
   */
  async erase(jobKey, id) {
    const answer = await conditionalUpdate(access, {
      Key: keyOf(jobKey, id),
      UpdateExpression: updateOf({ remove: ['definition'] }),
      ConditionExpression: exists,
    });
    return answer.applied;
  },
});

/** Key: the job's partition, backwards. Consistent. Cost: 1 read unit each 4 KB of the page. */
async function listStates(
  access: TableAccess,
  jobKey: string,
  { from = LOWEST, before = HIGHEST, limit }: Parameters<ChangeStore['list']>[1],
): Promise<{ states: KeptState[]; nextBefore?: string }> {
  if (before <= from) return { states: [] };
  const condition = allOf(ofJob, inRange);
  const { Items = [], LastEvaluatedKey } = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':job': changesKeyOf(jobKey), ':from': from, ':before': before },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit + 1, // BETWEEN includes the upper bound, which is dropped
    }),
  );
  const rows = Items.filter((row) => sortOf(row) < before);
  const shown = rows.slice(0, limit);
  const hasMore = shown.length < rows.length || LastEvaluatedKey !== undefined;
  const last = shown.at(-1) ?? LastEvaluatedKey;
  return { states: shown.map(stateIn), ...(hasMore && last && { nextBefore: sortOf(last) }) };
}

const keyOf = (jobKey: string, id: StateId): Row => ({
  [EXECUTIONS_KEY.partition]: changesKeyOf(jobKey),
  [EXECUTIONS_KEY.sort]: changeSortOf(id),
});

const sortOf = (row: Row): string => row[EXECUTIONS_KEY.sort] as string;

const rowOf = (jobKey: string, { definition, ...state }: KeptState): Row => ({
  ...keyOf(jobKey, state),
  ...state,
  ...(definition && { definition: gzipSync(JSON.stringify(definition)).toString('base64') }),
});

function stateIn(row: Row): KeptState {
  const { [EXECUTIONS_KEY.partition]: _job, [EXECUTIONS_KEY.sort]: _sort, definition, ...state } = row;
  if (definition === undefined) return state as unknown as KeptState;
  const json = gunzipSync(Buffer.from(definition as string, 'base64')).toString();
  return { ...state, definition: JSON.parse(json) as JobDefinition } as unknown as KeptState;
}
