import { gunzipSync, gzipSync } from 'node:zlib';

import { PutCommand, QueryCommand } from './commands';

import {
  CALENDARS,
  type CalendarKey,
  calendarSortOf,
  calendarVersionsKeyOf,
  EXECUTIONS_KEY,
  JOBS_KEY,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import type { CalendarPointer } from '../../domain/calendar';
import { Calendar, type CalendarContent } from '../../schedule/calendar';
import type { CalendarStore } from '../calendar-store';
import type { Row, TableAccess } from './access';
import { conditionalDelete, conditionalPut, conditionalUpdate } from './conditional-write';
import { namesIn, updateOf } from './expressions';
import { readRow } from './read-row';

const isNew = `attribute_not_exists(#${JOBS_KEY.sort})`;
const isSeen = '#etag = :seenEtag';
const isGone = `${isNew} OR ${isSeen}`;
const isVersion = `attribute_exists(#${EXECUTIONS_KEY.sort})`;
const isNotReplaced = `${isVersion} AND attribute_not_exists(#replaced)`;
const ofProject = `#${JOBS_KEY.partition} = :userId AND begins_with(#${JOBS_KEY.sort}, :prefix)`;

export const pointerKeyOf = ({ userId, calendarId }: CalendarKey): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: calendarSortOf(calendarId),
});

const versionKeyOf = (key: CalendarKey, version: string): Row => ({
  [EXECUTIONS_KEY.partition]: calendarVersionsKeyOf(key),
  [EXECUTIONS_KEY.sort]: version,
});

/**
 * Pointers in Jobs, under 1 KB, because the auditor scans them with the jobs. Contents in Executions: JSON in
 * gzip and base64. TTL removes versions that were replaced. Cost: 1 read unit each 4 KB, 1 write unit a KB.
 */
export const dynamoCalendarStore = (jobs: TableAccess, executions: TableAccess): CalendarStore => ({
  ...pointersIn(jobs),
  ...versionsIn(executions),
});

type Versions = 'putVersion' | 'keepVersion' | 'expireVersion' | 'calendarOf';

const pointersIn = (jobs: TableAccess): Omit<CalendarStore, Versions> => ({
  async get(key) {
    const row = await readRow(jobs, pointerKeyOf(key));
    return row && pointerOf(row);
  },

  async list(userId, { after, limit }) {
    const start = after === undefined ? undefined : pointerKeyOf({ userId, calendarId: after });
    const { Items = [] } = await jobs.documents.send(
      new QueryCommand({
        TableName: jobs.table,
        KeyConditionExpression: ofProject,
        ExpressionAttributeNames: namesIn(ofProject),
        ExpressionAttributeValues: { ':userId': userId, ':prefix': CALENDARS },
        ExclusiveStartKey: start,
        Limit: limit,
        ConsistentRead: true,
      }),
    );
    return Items.map(pointerOf);
  },

  async put(pointer, seenEtag, options) {
    const answer = await conditionalPut(
      jobs,
      {
        Item: rowOf(pointer),
        ConditionExpression: seenEtag === undefined ? isNew : isSeen,
        ...(seenEtag !== undefined && { ExpressionAttributeValues: { ':seenEtag': seenEtag } }),
      },
      options,
    );
    if (answer.applied) return 'put';
    const current = answer.current ?? (await readRow(jobs, pointerKeyOf(pointer)));
    return current?.etag === pointer.etag ? 'put' : 'changed';
  },

  async remove(key, seenEtag) {
    const answer = await conditionalDelete(jobs, {
      Key: pointerKeyOf(key),
      ConditionExpression: isGone,
      ExpressionAttributeValues: { ':seenEtag': seenEtag },
    });
    return answer.applied ? 'removed' : 'changed';
  },
});

const versionsIn = (executions: TableAccess): Pick<CalendarStore, Versions> => ({
  async putVersion(key, version, content, expiresAtSec) {
    const json = gzipSync(JSON.stringify(content)).toString('base64');
    const Item = { ...versionKeyOf(key, version), content: json, [TTL_ATTRIBUTE]: expiresAtSec };
    await executions.documents.send(new PutCommand({ TableName: executions.table, Item }));
  },

  /** Key: the version's. Condition: it was not replaced. Lost race: it was, and expires. */
  async keepVersion(key, version) {
    await conditionalUpdate(executions, {
      Key: versionKeyOf(key, version),
      ConditionExpression: isNotReplaced,
      UpdateExpression: updateOf({ remove: [TTL_ATTRIBUTE] }),
    });
  },

  /** Key: the version's. Condition: it exists. Lost race: TTL has removed it. */
  async expireVersion(key, version, expiresAtSec) {
    await conditionalUpdate(executions, {
      Key: versionKeyOf(key, version),
      ConditionExpression: isVersion,
      UpdateExpression: updateOf({ set: [`#${TTL_ATTRIBUTE} = :expiresAtSec`, '#replaced = :isReplaced'] }),
      ExpressionAttributeValues: { ':expiresAtSec': expiresAtSec, ':isReplaced': true },
    });
  },

  async calendarOf(key, version) {
    const row = await readRow(executions, versionKeyOf(key, version));
    if (!row) throw new Error(`calendar ${JSON.stringify(key.calendarId)} has no version ${version}`);
    const json = gunzipSync(Buffer.from(row.content as string, 'base64')).toString();
    return new Calendar(JSON.parse(json) as CalendarContent);
  },
});

const rowOf = ({ userId, calendarId, ...pointer }: CalendarPointer): Row => ({
  ...pointer,
  ...pointerKeyOf({ userId, calendarId }),
});

/** A pointer by its row. */
export function pointerOf({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: sort,
  ...row
}: Row): CalendarPointer {
  return {
    ...row,
    userId,
    calendarId: (sort as string).slice(CALENDARS.length),
  } as unknown as CalendarPointer;
}
