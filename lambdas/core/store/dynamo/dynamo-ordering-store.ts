import { DeleteCommand } from './commands';

import type { OrderedMessage } from '../../contracts/messages';
import {
  CONTROL_SORT,
  jobRefOf,
  orderingQueueKeyOf,
  type OrderingKeyRef,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import { ticketSortOf } from '../../contracts/tickets';
import type { KeyHolder, OrderingQueueHead, OrderingStore, Ticket, TicketRef } from '../ordering-store';
import type { Row, TableAccess } from './access';
import { batchPut } from './batch-put';
import { conditionalUpdate } from './conditional-write';
import { allOf, anyOf } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const ofQueue = '#bucket = :queue';
const hasNoHolder = 'attribute_not_exists(#execId)';
const holdsKey = '#execId = :execId AND #jobKey = :jobKey';
const isHeldAsSeen = '#acquisitionId = :seenAcquisitionId';
const exists = 'attribute_exists(#entry)';
const notResentSince = 'attribute_not_exists(#resentAtMs) OR #resentAtMs < :before';

const queueKeyOf = ({ jobKey, orderingKey }: TicketRef): string =>
  orderingQueueKeyOf({ userId: jobRefOf(jobKey).userId, orderingKey });

const holderKey = (ticket: TicketRef): Row => ({
  [SCHEDULE_KEY.partition]: queueKeyOf(ticket),
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

const ticketKey = (ticket: TicketRef): Row => ({
  [SCHEDULE_KEY.partition]: queueKeyOf(ticket),
  [SCHEDULE_KEY.sort]: ticketSortOf(ticket),
});

const ticketOf = (row: Row): Ticket => {
  const message = JSON.parse(row.message as string) as OrderedMessage;
  const { jobKey, execId, dueAtMs } = message;
  return { jobKey, execId, dueAtMs, sort: row[SCHEDULE_KEY.sort] as string, message };
};

const holderOf = ({ jobKey, execId, dueAtMs, acquisitionId, acquiredAtMs }: Row): KeyHolder =>
  ({ jobKey, execId, dueAtMs, acquisitionId, acquiredAtMs }) as unknown as KeyHolder;

/**
 * One partition per ordering key. Each write costs 1 write unit: a message exceeds 1 KB only with very long
 * keys.
 */
export const dynamoOrderingStore = (access: TableAccess): OrderingStore => ({
  enqueue: (tickets) =>
    batchPut(
      access,
      tickets.map(({ message, expiresAtSec }) => ({
        ...ticketKey(message),
        message: JSON.stringify(message),
        [TTL_ATTRIBUTE]: expiresAtSec,
      })),
      'tickets of ordering keys',
    ),

  peek: (ref, limit) => peek(access, ref, limit),

  async acquire(ticket, { acquisitionId, nowMs, expiresAtSec, insteadOf }) {
    const answer = await conditionalUpdate(access, {
      Key: holderKey(ticket),
      ConditionExpression: anyOf(hasNoHolder, holdsKey, ...(insteadOf ? [isHeldAsSeen] : [])),
      UpdateExpression:
        'SET #execId = :execId, #jobKey = :jobKey, #dueAtMs = :dueAtMs, #acquisitionId = :acquisitionId, ' +
        `#acquiredAtMs = :nowMs, #${TTL_ATTRIBUTE} = :expiresAtSec`,
      ExpressionAttributeValues: {
        ':execId': ticket.execId,
        ':jobKey': ticket.jobKey,
        ':dueAtMs': ticket.dueAtMs,
        ':acquisitionId': acquisitionId,
        ':nowMs': nowMs,
        ':expiresAtSec': expiresAtSec,
        ...(insteadOf && { ':seenAcquisitionId': insteadOf.acquisitionId }),
      },
    });
    return answer.applied ? 'acquired' : 'held';
  },

  hasTicket: async (ticket) => (await readRow(access, ticketKey(ticket))) !== undefined,

  async dequeue(ticket) {
    await access.documents.send(new DeleteCommand({ TableName: access.table, Key: ticketKey(ticket) }));
  },

  async claimResend(ticket, { nowMs, everyMs }) {
    const answer = await conditionalUpdate(access, {
      Key: ticketKey(ticket),
      ConditionExpression: allOf(exists, notResentSince),
      UpdateExpression: 'SET #resentAtMs = :nowMs',
      ExpressionAttributeValues: { ':nowMs': nowMs, ':before': nowMs - everyMs },
      ReturnValues: 'ALL_NEW',
    });
    return answer.applied ? ticketOf(answer.row!).message : undefined;
  },
});

/** The holder sorts before all tickets, so one query reads both. Cost: 1 read unit each 4 KB. */
async function peek(access: TableAccess, ref: OrderingKeyRef, limit: number): Promise<OrderingQueueHead> {
  const values = { ':queue': orderingQueueKeyOf(ref) };
  const { rows, more } = await queryRows(access, { condition: ofQueue, values, limit: limit + 1 });
  const holder = rows.find((row) => row[SCHEDULE_KEY.sort] === CONTROL_SORT);
  return {
    holder: holder && holderOf(holder),
    tickets: rows.filter((row) => row !== holder).map(ticketOf),
    more,
  };
}
