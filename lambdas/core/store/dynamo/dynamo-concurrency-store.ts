import { DeleteCommand, PutCommand, QueryCommand } from './commands';

import type { LimitedMessage } from '../../contracts/messages';
import {
  CONCURRENCY_KEYS,
  type ConcurrencyKeyRef,
  JOBS_KEY,
  jobRefOf,
  SCHEDULE_KEY,
  slotsKeyOf,
  slotSortOf,
  STARTS_SORT,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import { ticketSortOf } from '../../contracts/tickets';
import { type ConcurrencyKey, MAX_CONCURRENCY } from '../../domain/concurrency-key';
import type { LoggedStart, StartLog } from '../../domain/start-log';
import type {
  ConcurrencyStore,
  SlotHolder,
  SlotQueue,
  SlotTicket,
  SlotTicketRef,
} from '../concurrency-store';
import type { Row, TableAccess } from './access';
import { conditionalDelete, conditionalPut } from './conditional-write';
import { anyOf, namesIn } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const ofPartition = '#bucket = :slots';
const ofProject = '#userId = :userId AND begins_with(#jobId, :prefix)';
const isFree = 'attribute_not_exists(#takeId)';
const isOwnTake = '#takeId = :takeId';
const isHeldAsSeen = '#takeId = :seenTakeId';
const isNoLog = 'attribute_not_exists(#logId)';
const isOwnLog = '#logId = :logId';
const isLogAsSeen = '#logId = :seenLogId';
/** The sort keys of slots and of starts begin with it, those of tickets with a digit. */
const SLOT_PREFIX = '#';

/**
 * Definitions beside the project's jobs, in rows under 1 KB; slots and tickets in a partition of Schedule for
 * each key. Each write costs 1 write unit. A read of the slots costs 1 read unit each 4 KB: about 20 rows.
 */
export const dynamoConcurrencyStore = (jobs: TableAccess, schedule: TableAccess): ConcurrencyStore => ({
  async getKey(ref) {
    const row = await readRow(jobs, definitionKey(ref));
    return row && definitionOf(row);
  },

  listKeys: (userId) => listKeys(jobs, userId),

  async putKey({ userId, name, ...definition }) {
    const Item = { ...definitionKey({ userId, concurrencyKey: name }), ...definition };
    await jobs.documents.send(new PutCommand({ TableName: jobs.table, Item }));
  },

  async removeKey(ref) {
    await jobs.documents.send(new DeleteCommand({ TableName: jobs.table, Key: definitionKey(ref) }));
  },

  peek: (ref, limit) => peek(schedule, ref, limit),

  async take(ref, { slot, ...holder }, { expiresAtSec, insteadOf }) {
    const answer = await conditionalPut(schedule, {
      Item: { ...slotKey(ref, slot), ...holder, [TTL_ATTRIBUTE]: expiresAtSec },
      ConditionExpression: anyOf(isFree, isOwnTake, ...(insteadOf ? [isHeldAsSeen] : [])),
      ExpressionAttributeValues: {
        ':takeId': holder.takeId,
        ...(insteadOf && { ':seenTakeId': insteadOf.takeId }),
      },
    });
    return answer.applied ? 'taken' : 'occupied';
  },

  async free(ref, { slot, takeId }) {
    await conditionalDelete(schedule, {
      Key: slotKey(ref, slot),
      ConditionExpression: isOwnTake,
      ExpressionAttributeValues: { ':takeId': takeId },
    });
  },

  async logStart(ref, { logId, starts }, { expiresAtSec, insteadOf }) {
    const Item = { ...startsKey(ref), logId, starts: starts.map(rowOfStart), [TTL_ATTRIBUTE]: expiresAtSec };
    const answer = await conditionalPut(schedule, {
      Item,
      ConditionExpression: anyOf(isOwnLog, insteadOf ? isLogAsSeen : isNoLog),
      ExpressionAttributeValues: { ':logId': logId, ...(insteadOf && { ':seenLogId': insteadOf.logId }) },
    });
    return answer.applied ? 'logged' : 'changed';
  },

  async enqueue(message, expiresAtSec) {
    const Item = { ...ticketKey(message), message: JSON.stringify(message), [TTL_ATTRIBUTE]: expiresAtSec };
    await schedule.documents.send(new PutCommand({ TableName: schedule.table, Item }));
  },

  hasTicket: async (ticket) => (await readRow(schedule, ticketKey(ticket))) !== undefined,

  async dequeue(ticket) {
    await schedule.documents.send(new DeleteCommand({ TableName: schedule.table, Key: ticketKey(ticket) }));
  },
});

const definitionKey = ({ userId, concurrencyKey }: ConcurrencyKeyRef): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: CONCURRENCY_KEYS + concurrencyKey,
});

const slotKey = (ref: ConcurrencyKeyRef, slot: number): Row => ({
  [SCHEDULE_KEY.partition]: slotsKeyOf(ref),
  [SCHEDULE_KEY.sort]: slotSortOf(slot),
});

const startsKey = (ref: ConcurrencyKeyRef): Row => ({
  [SCHEDULE_KEY.partition]: slotsKeyOf(ref),
  [SCHEDULE_KEY.sort]: STARTS_SORT,
});

const ticketKey = (ticket: SlotTicketRef): Row => ({
  [SCHEDULE_KEY.partition]: slotsKeyOf({ ...ticket, userId: jobRefOf(ticket.jobKey).userId }),
  [SCHEDULE_KEY.sort]: ticketSortOf(ticket),
});

const definitionOf = ({ [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: sort, ...row }: Row): ConcurrencyKey =>
  ({ ...row, userId, name: (sort as string).slice(CONCURRENCY_KEYS.length) }) as unknown as ConcurrencyKey;

/** A list is shorter than a map, and the row holds up to 33 of them. */
const rowOfStart = ({ atMs, count, startId }: LoggedStart): unknown[] =>
  startId === undefined ? [atMs, count] : [atMs, count, startId];

export const startLogOf = (row: Row): StartLog => ({
  logId: row.logId as string,
  starts: (row.starts as [number, number, string?][]).map(([atMs, count, startId]) => ({
    atMs,
    count,
    ...(startId !== undefined && { startId }),
  })),
});

export const isStartLog = (row: Row): boolean => row[SCHEDULE_KEY.sort] === STARTS_SORT;
const isSlot = (row: Row): boolean => (row[SCHEDULE_KEY.sort] as string).startsWith(SLOT_PREFIX);

const holderOf = (row: Row): SlotHolder => {
  const { jobKey, execId, dueAtMs, takeId, takenAtMs, userRetries } = row;
  const slot = Number((row[SCHEDULE_KEY.sort] as string).slice(SLOT_PREFIX.length));
  return { slot, jobKey, execId, dueAtMs, takeId, takenAtMs, userRetries } as SlotHolder;
};

const ticketOf = (row: Row): SlotTicket => {
  const message = JSON.parse(row.message as string) as LimitedMessage;
  const { jobKey, execId, dueAtMs } = message;
  return { jobKey, execId, dueAtMs, sort: row[SCHEDULE_KEY.sort] as string, message };
};

async function listKeys(access: TableAccess, userId: string): Promise<ConcurrencyKey[]> {
  const values = { ':userId': userId, ':prefix': CONCURRENCY_KEYS };
  return (await queryRows(access, { condition: ofProject, values })).rows.map(definitionOf);
}

/** Slots and starts sort before tickets, so one query reads all. */
async function peek(access: TableAccess, ref: ConcurrencyKeyRef, limit: number): Promise<SlotQueue> {
  const holders: SlotHolder[] = [];
  const tickets: SlotTicket[] = [];
  let startLog: StartLog | undefined;
  let after: Row | undefined;
  do {
    const answer = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: ofPartition,
        ExpressionAttributeNames: namesIn(ofPartition),
        ExpressionAttributeValues: { ':slots': slotsKeyOf(ref) },
        ExclusiveStartKey: after,
        Limit: MAX_CONCURRENCY + 1 + limit,
        ConsistentRead: true,
      }),
    );
    for (const row of answer.Items ?? []) {
      if (isStartLog(row)) startLog = startLogOf(row);
      else if (isSlot(row)) holders.push(holderOf(row));
      else tickets.push(ticketOf(row));
    }
    after = answer.LastEvaluatedKey;
  } while (after && tickets.length < limit);
  const more = after !== undefined || tickets.length > limit;
  return { holders, tickets: tickets.slice(0, limit), more, ...(startLog && { startLog }) };
}
