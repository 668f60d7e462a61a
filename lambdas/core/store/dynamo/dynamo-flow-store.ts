import { gunzipSync, gzipSync } from 'node:zlib';

import { PutCommand } from './commands';

import { EXECUTIONS_KEY, flowsKeyOf, TTL_ATTRIBUTE } from '../../contracts/tables';
import type { Workflow } from '../../domain/workflow/definition';
import type { Flow, FlowHead, FlowStore } from '../flow-store';
import type { Row, TableAccess } from './access';
import { conditionalUpdate } from './conditional-write';
import { updateOf } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const ofJob = '#jobId = :job';
const isSavedBefore = '#savedAtMs < :savedBeforeMs';
const HEAD = ['execId', 'number', 'savedAtMs', 'by'] as const;

/**
 * One partition a job, in Executions; the sort key is the version. The workflow is JSON in gzip and base64,
 * as its keys are the user's and it may be large.
 */
export const dynamoFlowStore = (access: TableAccess): FlowStore => ({
  /** Key: the version's. No condition: equal names mean equal contents. Cost: 1 unit a compressed KB. */
  async put(jobKey, { version, workflow, ...rest }, options) {
    const text = gzipSync(JSON.stringify(workflow)).toString('base64');
    const Item = { ...keyOf(jobKey, version), ...rest, workflow: text };
    await access.documents.send(new PutCommand({ TableName: access.table, Item }), options);
  },
  /** Key: the version's. Consistent. Cost: 1 read unit each 4 KB, compressed. */
  async get(jobKey, version) {
    const row = await readRow(access, keyOf(jobKey, version));
    return row && flowOf(row);
  },
  list: (jobKey) => listFlows(access, jobKey),
  /**
   * Key: the version's. Condition: it was saved before a time. Cost: 1 write unit a KB. Lost race: a save has
   * named it again, and it stays.
   */
  async expire(jobKey, version, { savedBeforeMs, expiresAtSec }) {
    const answer = await conditionalUpdate(access, {
      Key: keyOf(jobKey, version),
      ConditionExpression: isSavedBefore,
      UpdateExpression: updateOf({ set: [`#${TTL_ATTRIBUTE} = :expiresAtSec`] }),
      ExpressionAttributeValues: { ':savedBeforeMs': savedBeforeMs, ':expiresAtSec': expiresAtSec },
    });
    if (answer.applied) return 'expires';
    return (answer.current ?? (await readRow(access, keyOf(jobKey, version)))) ? 'saved-later' : 'none';
  },
});

/** Key: the job's partition. Consistent. Cost: 1 read unit each 4 KB of all versions. */
async function listFlows(access: TableAccess, jobKey: string): Promise<FlowHead[]> {
  const projection = HEAD.map((name) => `#${name}`).join(', ');
  const values = { ':job': flowsKeyOf(jobKey) };
  return (await queryRows(access, { condition: ofJob, values, projection })).rows.map(headOf);
}

const keyOf = (jobKey: string, version: string): Row => ({
  [EXECUTIONS_KEY.partition]: flowsKeyOf(jobKey),
  [EXECUTIONS_KEY.sort]: version,
});

const headOf = ({ execId, number, savedAtMs, by }: Row): FlowHead => ({
  version: execId as string,
  number: number as number,
  savedAtMs: savedAtMs as number,
  ...(by !== undefined && { by: by as NonNullable<FlowHead['by']> }),
});

export const flowOf = (row: Row): Flow => ({
  ...headOf(row),
  workflow: JSON.parse(gunzipSync(Buffer.from(row.workflow as string, 'base64')).toString()) as Workflow,
});
