import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import type { OrderedMessage } from '../../../contracts/messages';
import {
  CONTROL_SORT,
  jobRefOf,
  orderingQueueKeyOf,
  type OrderingKeyRef,
  ticketSortOf,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../../contracts/tables';
import type { KeyHolder, OrderingQueueHead, OrderingStore, Ticket, TicketRef } from '../../ordering-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, anyOf, namesIn } from '../expressions';
import { readControlRow } from '../deployment/control-row';
import { putRows } from '../entries/put-rows';

const ofLine = '#bucket = :line';
const nobodyHolds = 'attribute_not_exists(#execId)';
const holdsItself = '#execId = :execId AND #jobKey = :jobKey';
const heldAsSeen = '#takeId = :seenTakeId';
const stands = 'attribute_exists(#entry)';
const notNudged = 'attribute_not_exists(#nudgedAtMs) OR #nudgedAtMs < :before';

const queueKeyOfTicket = ({ jobKey, orderingKey }: TicketRef): string =>
  orderingQueueKeyOf({ userId: jobRefOf(jobKey).userId, orderingKey });

const holderKey = (place: TicketRef): Row => ({
  [SCHEDULE_KEY.partition]: queueKeyOfTicket(place),
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

const ticketKey = (place: TicketRef): Row => ({
  [SCHEDULE_KEY.partition]: queueKeyOfTicket(place),
  [SCHEDULE_KEY.sort]: ticketSortOf(place),
});

const placeOf = ({ message }: Row): Ticket => {
  const asked = JSON.parse(message as string) as OrderedMessage;
  return { jobKey: asked.jobKey, execId: asked.execId, dueAtMs: asked.dueAtMs, message: asked };
};

const holderOf = ({ jobKey, execId, dueAtMs, takeId, takenAtMs }: Row): KeyHolder =>
  ({ jobKey, execId, dueAtMs, takeId, takenAtMs }) as unknown as KeyHolder;

/** A partition a line; each write costs 1 write unit (a message is below 1 KB but for very long keys). */
export const dynamoOrderingStore = (access: TableAccess): OrderingStore => ({
  enqueue: (places) =>
    putRows(
      access,
      places.map(({ message, expiresAtSec }) => ({
        ...ticketKey(message),
        message: JSON.stringify(message),
        [TTL_ATTRIBUTE]: expiresAtSec,
      })),
      'places in line',
    ),

  peek: (line, limit) => look(access, line, limit),

  async acquire(place, { takeId, nowMs, expiresAtSec, insteadOf }) {
    const answer = await conditionalUpdate(access, {
      Key: holderKey(place),
      ConditionExpression: anyOf(nobodyHolds, holdsItself, ...(insteadOf ? [heldAsSeen] : [])),
      UpdateExpression:
        'SET #execId = :execId, #jobKey = :jobKey, #dueAtMs = :dueAtMs, #takeId = :takeId, #takenAtMs = :nowMs, ' +
        `#${TTL_ATTRIBUTE} = :expiresAtSec`,
      ExpressionAttributeValues: {
        ':execId': place.execId,
        ':jobKey': place.jobKey,
        ':dueAtMs': place.dueAtMs,
        ':takeId': takeId,
        ':nowMs': nowMs,
        ':expiresAtSec': expiresAtSec,
        ...(insteadOf && { ':seenTakeId': insteadOf.takeId }),
      },
    });
    return answer.held ? 'taken' : 'held';
  },

  hasTicket: async (place) => (await readControlRow(access, ticketKey(place))) !== undefined,

  async dequeue(place) {
    await access.documents.send(new DeleteCommand({ TableName: access.table, Key: ticketKey(place) }));
  },

  async claimResend(place, { nowMs, everyMs }) {
    const answer = await conditionalUpdate(access, {
      Key: ticketKey(place),
      ConditionExpression: allOf(stands, notNudged),
      UpdateExpression: 'SET #nudgedAtMs = :nowMs',
      ExpressionAttributeValues: { ':nowMs': nowMs, ':before': nowMs - everyMs },
      ReturnValues: 'ALL_NEW',
    });
    return answer.held ? placeOf(answer.row!).message : undefined;
  },
});

/** The holder sorts before all places, so one query reads both. Cost: 1 read unit each 4 KB. */
async function look(access: TableAccess, line: OrderingKeyRef, limit: number): Promise<OrderingQueueHead> {
  const rows: Row[] = [];
  let after: Row | undefined;
  do {
    const answer = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: ofLine,
        ExpressionAttributeNames: namesIn(ofLine),
        ExpressionAttributeValues: { ':line': orderingQueueKeyOf(line) },
        ExclusiveStartKey: after,
        Limit: limit + 1 - rows.length,
        ConsistentRead: true,
      }),
    );
    rows.push(...(answer.Items ?? []));
    after = answer.LastEvaluatedKey;
  } while (after && rows.length <= limit);
  const holder = rows.find((row) => row[SCHEDULE_KEY.sort] === CONTROL_SORT);
  return {
    holder: holder && holderOf(holder),
    tickets: rows.filter((row) => row !== holder).map(placeOf),
    more: after !== undefined,
  };
}
