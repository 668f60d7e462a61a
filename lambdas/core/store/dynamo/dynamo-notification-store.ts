import { DeleteCommand, PutCommand } from './commands';

import { SECOND_MS } from '../../clock/clock';
import {
  JOBS_KEY,
  NOTIFICATION_JOBS,
  notificationJobIdOf,
  NOTIFYING_KEY,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import { expiresAtMsOf, hiddenJobOf, type Notification } from '../../domain/notification';
import type { NotificationStore } from '../notification-store';
import type { Row, TableAccess } from './access';
import { conditionalPut } from './conditional-write';
import { jobRowKey, jobRowOf } from './jobs/job-row';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const { partition, sort } = JOBS_KEY;
const ofProject = `#${partition} = :project AND begins_with(#${sort}, :prefix)`;
const isNotifying = `#${partition} = :notifying`;
const isNew = `attribute_not_exists(#${sort})`;
const isAsSeen = '#etag = :seenEtag';

/**
 * Rows of Jobs under the ids of hidden jobs, with the notification as JSON in one attribute. Cost: 1 write
 * unit a KB; 1 read unit each 4 KB.
 */
export const dynamoNotificationStore = (access: TableAccess): NotificationStore => ({
  async get(project, id) {
    const row = await readRow(access, jobRowKey({ userId: project, jobId: notificationJobIdOf(id) }));
    return row && notificationOf(row);
  },

  async list(project) {
    const values = { ':project': project, ':prefix': NOTIFICATION_JOBS };
    const { rows } = await queryRows(access, { condition: ofProject, values });
    return rows.map(notificationOf);
  },

  async put(notification, seenEtag) {
    const noted = { [partition]: NOTIFYING_KEY, [sort]: sortOfProject(notification.project) };
    await access.documents.send(new PutCommand({ TableName: access.table, Item: noted }));
    const answer = await conditionalPut(access, {
      Item: rowOf(notification),
      ConditionExpression: seenEtag === undefined ? isNew : isAsSeen,
      ...(seenEtag !== undefined && { ExpressionAttributeValues: { ':seenEtag': seenEtag } }),
    });
    if (answer.applied) return 'put';
    // An earlier try of this call may have written the row.
    const current = await this.get(notification.project, notification.id);
    return current?.etag === notification.etag ? 'put' : 'changed';
  },

  async remove(project, id) {
    const Key = jobRowKey({ userId: project, jobId: notificationJobIdOf(id) });
    await access.documents.send(new DeleteCommand({ TableName: access.table, Key }));
  },

  async projects() {
    const values = { ':notifying': NOTIFYING_KEY };
    const { rows } = await queryRows(access, { condition: isNotifying, values });
    return new Set(rows.map((row) => (row[sort] as string).slice(sortOfProject('').length)));
  },
});

/** A sort key is never empty. */
const sortOfProject = (project: string): string => `#${project}`;

function rowOf(notification: Notification): Row {
  const expiresAtMs = expiresAtMsOf(notification);
  return {
    ...jobRowOf(hiddenJobOf(notification)),
    notification: JSON.stringify(notification),
    ...(expiresAtMs !== undefined && { [TTL_ATTRIBUTE]: Math.ceil(expiresAtMs / SECOND_MS) }),
  };
}

function notificationOf(row: Row): Notification {
  return JSON.parse(row.notification as string) as Notification;
}
