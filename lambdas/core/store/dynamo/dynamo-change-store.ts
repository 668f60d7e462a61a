import { gunzipSync, gzipSync } from 'node:zlib';

import { QueryCommand, UpdateCommand } from './commands';

import { changeSortOf, changesKeyOf, EXECUTIONS_KEY } from '../../contracts/tables';
import type { JobDefinition } from '../../domain/job';
import type { KeptState, StateId } from '../../domain/job-state';
import type { ChangeStore } from '../change-store';
import type { Row, TableAccess } from './access';
import { conditionalUpdate } from './conditional-write';
import { allOf, assignments, namesIn, updateOf } from './expressions';

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
   * Key: the state's. No condition: all writers of a state write the same, but for its end. An update sets
   * attributes and removes none, so a writer that loses a race takes no end away. Cost: 1 write unit a KB of
   * the compressed state.
   */
  async put(jobKey, state, options) {
    const { clauses, values } = assignments(attributesOf(state));
    await access.documents.send(
      new UpdateCommand({
        TableName: access.table,
        Key: keyOf(jobKey, state),
        UpdateExpression: updateOf({ set: clauses }),
        ExpressionAttributeNames: namesIn(...clauses),
        ExpressionAttributeValues: values,
      }),
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

/**
 * Key: the job's partition, backwards. Consistent. Reads on after a page of 1 MB, until it has `limit`
 * states. Cost: 1 read unit each 4 KB.
 */
async function listStates(
  access: TableAccess,
  jobKey: string,
  { from = LOWEST, before, limit }: Parameters<ChangeStore['list']>[1],
): Promise<{ states: KeptState[]; nextBefore?: string }> {
  if (before !== undefined && before <= from) return { states: [] };
  const condition = allOf(ofJob, inRange);
  const job = changesKeyOf(jobKey);
  const states: KeptState[] = [];
  let start = before;
  do {
    const answer = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: condition,
        ExpressionAttributeNames: namesIn(condition),
        ExpressionAttributeValues: { ':job': job, ':from': from, ':before': before ?? HIGHEST },
        // the bound itself is in the range, as DynamoDB demands of a start key, and is left out
        ExclusiveStartKey: start === undefined ? undefined : rowKeyOf(job, start),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit - states.length,
      }),
    );
    states.push(...(answer.Items ?? []).map(stateIn));
    start = answer.LastEvaluatedKey?.[EXECUTIONS_KEY.sort] as string | undefined;
  } while (start !== undefined && states.length < limit);
  return { states, ...(start !== undefined && { nextBefore: start }) };
}

const rowKeyOf = (partition: string, sort: string): Row => ({
  [EXECUTIONS_KEY.partition]: partition,
  [EXECUTIONS_KEY.sort]: sort,
});

const keyOf = (jobKey: string, id: StateId): Row => rowKeyOf(changesKeyOf(jobKey), changeSortOf(id));

const attributesOf = ({ definition, ...state }: KeptState): Row => ({
  ...state,
  ...(definition && { definition: gzipSync(JSON.stringify(definition)).toString('base64') }),
});

function stateIn(row: Row): KeptState {
  const { [EXECUTIONS_KEY.partition]: _job, [EXECUTIONS_KEY.sort]: _sort, definition, ...state } = row;
  if (definition === undefined) return state as unknown as KeptState;
  const json = gunzipSync(Buffer.from(definition as string, 'base64')).toString();
  return { ...state, definition: JSON.parse(json) as JobDefinition } as unknown as KeptState;
}
