import { DAY_MS, SECOND_MS } from '../../clock/clock';
import {
  alertMinuteSortOf,
  ALERTS,
  alertSortOf,
  expectationSortOf,
  type JobRef,
  JOBS_KEY,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import type { Alert } from '../../domain/alert';
import type { FiledExpectation } from '../../domain/expectation';
import type { AlertMinute, AlertMinuteRef, AlertRef, AlertStore } from '../alert-store';
import type { Row, TableAccess } from './access';
import { UpdateCommand } from './commands';
import { conditionalUpdate } from './conditional-write';
import { namesIn } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const { partition, sort } = JOBS_KEY;
/** An alert is forgotten so long after its last change. */
const ALERT_KEPT_MS = 90 * DAY_MS;
const MINUTE_KEPT_MS = DAY_MS;

const isNew = 'attribute_not_exists(#version)';
const isAsSeen = '#version = :seenVersion';
const SET_ALERT = `SET #alert = :alert, #version = :version, #isOpen = :isOpen, #${TTL_ATTRIBUTE} = :expiresAtSec`;
const COUNT = `SET #count = if_not_exists(#count, :none) + :one, #${TTL_ATTRIBUTE} = :expiresAtSec`;
const NOTE_SUMMARY = 'SET #hasSummary = :true';
const ofProject = `#${partition} = :project AND begins_with(#${sort}, :prefix)`;
const isOpen = '#isOpen = :true';

const alertKey = ({ project, notification, jobId }: AlertRef): Row => ({
  [partition]: project,
  [sort]: alertSortOf(notification, jobId),
});
const minuteKey = ({ project, notification, minute }: AlertMinuteRef): Row => ({
  [partition]: project,
  [sort]: alertMinuteSortOf(notification, minute),
});

/**
 * Beside the jobs, in rows under 1 KB. Cost: 1 write unit a write; 1 read unit a row, half of that each 4 KB
 * of the list.
 */
export const dynamoAlertStore = (access: TableAccess): AlertStore => ({
  async get(ref) {
    const row = await readRow(access, alertKey(ref));
    return row && (JSON.parse(row.alert as string) as Alert);
  },

  async put(ref, alert, seenVersion) {
    const answer = await conditionalUpdate(access, {
      Key: alertKey(ref),
      ConditionExpression: seenVersion === undefined ? isNew : isAsSeen,
      UpdateExpression: SET_ALERT,
      ExpressionAttributeValues: {
        ':alert': JSON.stringify(alert),
        ':version': alert.version,
        ':isOpen': alert.isOpen,
        ':expiresAtSec': expiresAtSec(access, ALERT_KEPT_MS),
        ...(seenVersion !== undefined && { ':seenVersion': seenVersion }),
      },
    });
    return answer.applied ? 'put' : 'changed';
  },

  openJobs: async (project) =>
    new Set(await openJobs(access, { project, prefix: ALERTS, consistent: false })),

  openOf: (project, notification) =>
    openJobs(access, { project, prefix: alertSortOf(notification, ''), consistent: true }),

  countMessage: (ref) => countMessage(access, ref),

  async noteSummary(ref) {
    await access.documents.send(
      new UpdateCommand({
        TableName: access.table,
        Key: minuteKey(ref),
        UpdateExpression: NOTE_SUMMARY,
        ExpressionAttributeNames: namesIn(NOTE_SUMMARY),
        ExpressionAttributeValues: { ':true': true },
      }),
    );
  },

  minute: async (ref) => minuteIn(await readRow(access, minuteKey(ref))),

  expectation: (ref) => readExpectation(access, ref),
  putExpectation: (ref, filed) => putExpectation(access, ref, filed),
});

async function countMessage(access: TableAccess, ref: AlertMinuteRef): Promise<AlertMinute> {
  const { Attributes } = await access.documents.send(
    new UpdateCommand({
      TableName: access.table,
      Key: minuteKey(ref),
      UpdateExpression: COUNT,
      ExpressionAttributeNames: namesIn(COUNT),
      ExpressionAttributeValues: {
        ':none': 0,
        ':one': 1,
        ':expiresAtSec': expiresAtSec(access, MINUTE_KEPT_MS),
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return minuteIn(Attributes);
}

/** The jobs of open alerts. Reads those that are not open, too. */
async function openJobs(
  access: TableAccess,
  { project, prefix, consistent }: { project: string; prefix: string; consistent: boolean },
): Promise<string[]> {
  const values = { ':project': project, ':prefix': prefix, ':true': true };
  const { rows } = await queryRows(access, { condition: ofProject, filter: isOpen, values, consistent });
  return rows.map((row) => (row[sort] as string).split('#')[3]!);
}

const minuteIn = (row: Row | undefined): AlertMinute => ({
  count: Number(row?.count ?? 0),
  hasSummary: row?.hasSummary === true,
});

const expiresAtSec = ({ clock }: TableAccess, keptMs: number): number =>
  Math.ceil((clock.nowMs() + keptMs) / SECOND_MS);

/** An expectation is forgotten so long after its time. */
const EXPECTATION_KEPT_MS = 90 * DAY_MS;
const SET_EXPECTATION = `SET #sinceMs = :sinceMs, #atMs = :atMs, #checkAtMs = :checkAtMs, #${TTL_ATTRIBUTE} = :expiresAtSec`;

const expectationKey = ({ userId, jobId }: JobRef): Row => ({
  [partition]: userId,
  [sort]: expectationSortOf(jobId),
});

/** Beside the job. Consistent. Cost: 1 read unit. */
async function readExpectation(access: TableAccess, ref: JobRef): Promise<FiledExpectation | undefined> {
  const row = await readRow(access, expectationKey(ref));
  return (
    row && {
      sinceMs: row.sinceMs as number,
      atMs: row.atMs as number,
      // A row of an earlier version does not say when its entry was filed for.
      checkAtMs: (row.checkAtMs ?? row.atMs) as number,
    }
  );
}

/** Cost: 1 write unit. */
async function putExpectation(
  access: TableAccess,
  ref: JobRef,
  { sinceMs, atMs, checkAtMs }: FiledExpectation,
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
        ':checkAtMs': checkAtMs,
        ':expiresAtSec': Math.ceil((atMs + EXPECTATION_KEPT_MS) / SECOND_MS),
      },
    }),
  );
}
