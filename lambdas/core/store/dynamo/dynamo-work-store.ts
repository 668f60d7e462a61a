import { PutCommand, UpdateCommand } from './commands';

import type { WorkMessage } from '../../contracts/messages';
import { jobRefOf, SCHEDULE_KEY, TTL_ATTRIBUTE } from '../../contracts/tables';
import {
  claimRowKeyOf,
  workPriorityPrefix,
  workQueueKeyOf,
  type WorkQueueRef,
  workTicketSortOf,
} from '../../contracts/work-keys';
import type { ClaimRecord, WorkCount, WorkPeek, WorkStore, WorkTicket, WorkTicketRef } from '../work-store';
import type { Row, TableAccess } from './access';
import { conditionalDelete } from './conditional-write';
import { namesIn } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';
import { leaveWait, takeWait } from './work/waits';
import { noteWorker, workersSince } from './work/workers';

const { partition, sort } = SCHEDULE_KEY;
const ofQueue = '#bucket = :queue';
const ofPriority = `${ofQueue} AND begins_with(#entry, :priority)`;
const isThisOffer = '#offerId = :offerId';
const offering =
  'SET #message = :message, #offerId = if_not_exists(#offerId, :offerId), ' +
  `#offeredAtMs = if_not_exists(#offeredAtMs, :nowMs), #${TTL_ATTRIBUTE} = :expiresAtSec`;

const ticketKey = (ref: WorkTicketRef): Row => ({
  [partition]: workQueueKeyOf({ userId: jobRefOf(ref.jobKey).userId, queue: ref.workQueue }),
  [sort]: workTicketSortOf(ref),
});

const ticketOf = (row: Row): WorkTicket => ({
  message: JSON.parse(row.message as string) as WorkMessage,
  offerId: row.offerId as string,
  offeredAtMs: row.offeredAtMs as number,
});

/**
 * One partition per work queue, in Schedule: about 300 claims a second, each of which removes a ticket and
 * reads some. Each write costs 1 write unit: a ticket exceeds 1 KB only with very long keys.
 */
export const dynamoWorkStore = (access: TableAccess): WorkStore => ({
  async offer(message, { offerId, nowMs, expiresAtSec }) {
    await access.documents.send(
      new UpdateCommand({
        TableName: access.table,
        Key: ticketKey(message),
        UpdateExpression: offering,
        ExpressionAttributeNames: namesIn(offering),
        ExpressionAttributeValues: {
          ':message': JSON.stringify(message),
          ':offerId': offerId,
          ':nowMs': nowMs,
          ':expiresAtSec': expiresAtSec,
        },
      }),
    );
  },

  async get(ref) {
    const row = await readRow(access, ticketKey(ref));
    return row && ticketOf(row);
  },

  peek: (queue, peek) => peekTickets(access, queue, peek),

  async remove({ message, offerId }) {
    await conditionalDelete(access, {
      Key: ticketKey(message),
      ConditionExpression: isThisOffer,
      ExpressionAttributeValues: { ':offerId': offerId },
    });
  },

  count: (queue, limit) => countTickets(access, queue, limit),

  saw: (queue, worker, at) => noteWorker(access, queue, worker, at),
  workersSince: (queue, sinceMs, limit) => workersSince(access, queue, sinceMs, limit),

  async getClaim(userId, keyHash) {
    const row = await readRow(access, claimRowKeyOf(userId, keyHash));
    if (!row) return undefined;
    const { bodyHash, work, [TTL_ATTRIBUTE]: expiresAtSec } = row as unknown as ClaimRecord & Row;
    return { userId, keyHash, bodyHash, work, expiresAtSec: expiresAtSec as number };
  },

  async putClaim({ userId, keyHash, bodyHash, work, expiresAtSec }) {
    await access.documents.send(
      new PutCommand({
        TableName: access.table,
        Item: { ...claimRowKeyOf(userId, keyHash), bodyHash, work, [TTL_ATTRIBUTE]: expiresAtSec },
      }),
    );
  },

  takeWait: (userId, wait) => takeWait(access, userId, wait),
  leaveWait: (userId, seat) => leaveWait(access, userId, seat),
});

/** Cost: 1 read unit each 4 KB, or half if it need not be consistent. */
async function peekTickets(
  access: TableAccess,
  queue: WorkQueueRef,
  { limit, priority, consistent }: WorkPeek,
): Promise<WorkTicket[]> {
  const { rows } = await queryRows(access, {
    condition: priority ? ofPriority : ofQueue,
    values: {
      ':queue': workQueueKeyOf(queue),
      ...(priority && { ':priority': workPriorityPrefix(priority) }),
    },
    limit,
    consistent,
  });
  return rows.map(ticketOf);
}

/** Cost: half a read unit each 4 KB of the tickets counted. */
async function countTickets(access: TableAccess, queue: WorkQueueRef, limit: number): Promise<WorkCount> {
  const { rows, more } = await queryRows(access, {
    condition: ofQueue,
    projection: '#offeredAtMs',
    values: { ':queue': workQueueKeyOf(queue) },
    limit,
    consistent: false,
  });
  const offers = rows.map(({ offeredAtMs }) => offeredAtMs as number);
  return {
    waiting: rows.length,
    isAtLeast: more,
    ...(offers.length > 0 && { oldestOfferedAtMs: Math.min(...offers) }),
  };
}
