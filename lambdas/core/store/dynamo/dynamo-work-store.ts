import type { WorkMessage } from '../../contracts/messages';
import { PRIORITIES } from '../../contracts/pools';
import { jobRefOf, SCHEDULE_KEY, TTL_ATTRIBUTE } from '../../contracts/tables';
import {
  claimRowKeyOf,
  waitsRowKeyOf,
  workersKeyOf,
  workPriorityPrefix,
  workQueueKeyOf,
  type WorkQueueRef,
  workTicketSortOf,
} from '../../contracts/work-keys';
import type {
  ClaimRecord,
  WaitSeat,
  WorkCount,
  WorkPeek,
  WorkStore,
  WorkTicket,
  WorkTicketRef,
} from '../work-store';
import type { Row, TableAccess } from './access';
import { GetCommand, PutCommand, UpdateCommand } from './commands';
import { conditionalDelete, conditionalUpdate } from './conditional-write';
import { anyOf, namesIn } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

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

async function readTicket(access: TableAccess, ref: WorkTicketRef): Promise<WorkTicket | undefined> {
  const row = await readRow(access, ticketKey(ref));
  return row && ticketOf(row);
}

async function findTicket(access: TableAccess, ref: WorkTicketRef): Promise<WorkTicket | undefined> {
  for (const priority of [ref.priority, ...PRIORITIES.filter((other) => other !== ref.priority)]) {
    const ticket = await readTicket(access, { ...ref, priority });
    if (ticket) return ticket;
  }
  return undefined;
}

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

  get: (ref) => readTicket(access, ref),

  find: (ref) => findTicket(access, ref),

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

const attributeOf = (seat: number): string => `until${seat}`;
const untilOf = (holder: unknown): number => (typeof holder === 'string' ? Number.parseInt(holder, 10) : 0);

/**
 * One row per project with a seat for each claim that waits: until when it is taken, and by which claim. So
 * a process that dies with its seat needs no repair. Cost: 1 read unit and 1 write unit.
 */
async function takeWait(
  access: TableAccess,
  userId: string,
  { nowMs, untilMs, seats }: { nowMs: number; untilMs: number; seats: number },
): Promise<WaitSeat | undefined> {
  const holder = `${untilMs}#${access.random.id()}`;
  const all = Array.from({ length: seats }, (_, seat) => seat);
  // Another claim may take a seat while it is chosen.
  for (let tries = 0; tries < seats; tries++) {
    const row = (await readRow(access, waitsRowKeyOf(userId))) ?? {};
    const free = all.filter((seat) => untilOf(row[attributeOf(seat)]) <= nowMs);
    if (free.length === 0) return undefined;
    const seat = free[Math.floor(access.random.fraction() * free.length)]!;
    const name = `#${attributeOf(seat)}`;
    const answer = await conditionalUpdate(access, {
      Key: waitsRowKeyOf(userId),
      ConditionExpression: anyOf(`attribute_not_exists(${name})`, `${name} < :after`, `${name} = :holder`),
      UpdateExpression: `SET ${name} = :holder`,
      // Instants of today have as many digits, so their texts sort as they do.
      ExpressionAttributeValues: { ':after': String(nowMs + 1), ':holder': holder },
    });
    if (answer.applied) return { seat, holder };
  }
  return undefined;
}

/** Cost: 1 write unit. */
async function leaveWait(access: TableAccess, userId: string, { seat, holder }: WaitSeat): Promise<void> {
  const name = `#${attributeOf(seat)}`;
  await conditionalUpdate(access, {
    Key: waitsRowKeyOf(userId),
    ConditionExpression: `${name} = :holder`,
    UpdateExpression: `REMOVE ${name}`,
    ExpressionAttributeValues: { ':holder': holder },
  });
}

const ofWorkers = `#${partition} = :queue`;
const seenSince = '#seenAtMs >= :sinceMs';
const seeing = `SET #seenAtMs = :nowMs, #${TTL_ATTRIBUTE} = :expiresAtSec`;

/** Cost: half a read unit, and 1 write unit if the worker was not noted since. */
async function noteWorker(
  access: TableAccess,
  queue: WorkQueueRef,
  worker: string,
  { nowMs, unlessSinceMs, expiresAtSec }: { nowMs: number; unlessSinceMs: number; expiresAtSec: number },
): Promise<void> {
  const key = { [partition]: workersKeyOf(queue), [sort]: worker };
  const { Item } = await access.documents.send(new GetCommand({ TableName: access.table, Key: key }));
  if (Item && (Item.seenAtMs as number) >= unlessSinceMs) return;
  await access.documents.send(
    new UpdateCommand({
      TableName: access.table,
      Key: key,
      UpdateExpression: seeing,
      ExpressionAttributeNames: namesIn(seeing),
      ExpressionAttributeValues: { ':nowMs': nowMs, ':expiresAtSec': expiresAtSec },
    }),
  );
}

/** Cost: half a read unit each 4 KB. */
async function workersSince(
  access: TableAccess,
  queue: WorkQueueRef,
  sinceMs: number,
  limit: number,
): Promise<{ worker: string; seenAtMs: number }[]> {
  const { rows } = await queryRows(access, {
    condition: ofWorkers,
    filter: seenSince,
    values: { ':queue': workersKeyOf(queue), ':sinceMs': sinceMs },
    consistent: false,
  });
  return rows
    .slice(0, limit)
    .map((row) => ({ worker: row[sort] as string, seenAtMs: row.seenAtMs as number }));
}
