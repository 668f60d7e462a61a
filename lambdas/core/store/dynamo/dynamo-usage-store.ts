import { GetCommand, UpdateCommand } from './commands';

import { compactInstant, dayOf, JOBS_KEY, minuteStartMs, TTL_ATTRIBUTE } from '../../contracts/tables';
import { NO_RATES, RATE_FIELDS, type Rates } from '../../quotas/rates';
import { NO_USAGE, USAGE_FIELDS, type Usage } from '../../quotas/usage';
import type { UsageStore } from '../usage-store';
import type { Row, TableAccess } from './access';
import { conditionalUpdate } from './conditional-write';
import { namesIn } from './expressions';

/** Beside the project's jobs, and before them, under a sort key that no job can have. */
export const USAGE_SORT = '#usage';

/** A row expires this long after its last change. */
const KEPT_FOR_SEC = 90 * 86_400;

const usageKey = (userId: string): Row => ({ [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: USAGE_SORT });

type Counts = { [Field in keyof Usage]: number };

/** As it stands in the row. It may be less than 0, which the auditor corrects like every other error. */
export const storedUsageIn = (row: Row): Usage =>
  Object.fromEntries(USAGE_FIELDS.map((field) => [field, Number(row[field] ?? 0)])) as Counts;

/** At least 0: a decrement that was counted twice is no debt. */
const usageIn = (row: Row | undefined): Usage => {
  if (!row) return NO_USAGE;
  const stored = storedUsageIn(row);
  return Object.fromEntries(USAGE_FIELDS.map((field) => [field, Math.max(0, stored[field])])) as Counts;
};

const ADD = `SET ${USAGE_FIELDS.map((field) => `#${field} = if_not_exists(#${field}, :none) + :${field}`).join(', ')}, #${TTL_ATTRIBUTE} = :expiresAtSec`;

/** Another process may begin the same period between two tries. */
const MAX_TRIES = 3;

/** Counts of the latest period of one kind, in attributes of the project's row. */
interface PeriodCounts {
  /** The attribute that says which period it is, and that period. Later ones compare as greater. */
  attribute: 'rateMinute' | 'writtenDay';
  period: number | string;
  added: Readonly<Record<string, number>>;
}

/**
 * Key: the project's row. Condition: the row is at this period, or else before it. Cost: 1 write unit, 2 for
 * the first of a period. Lost race: the row is at a later period, so there is nothing to add to.
 *
 * @returns the row; undefined: what is added is all that is known of the period
 */
async function addInPeriod(
  access: TableAccess,
  userId: string,
  { attribute, period, added: counts }: PeriodCounts,
): Promise<Row | undefined> {
  const fields = Object.keys(counts);
  const values = {
    ':period': period,
    ...Object.fromEntries(fields.map((field) => [`:${field}`, counts[field]])),
  };
  const common = { Key: usageKey(userId), ReturnValues: 'ALL_NEW' as const };
  // In an update, the version before may have begun the period, without a count that it did not know.
  const sums = fields.map((field) => `#${field} = if_not_exists(#${field}, :none) + :${field}`);
  const firsts = fields.map((field) => `#${field} = :${field}`);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const added = await conditionalUpdate(access, {
      ...common,
      UpdateExpression: `SET ${sums.join(', ')}`,
      ConditionExpression: `#${attribute} = :period`,
      ExpressionAttributeValues: { ...values, ':none': 0 },
    });
    if (added.applied) return added.row;
    const begun = await conditionalUpdate(access, {
      ...common,
      UpdateExpression: `SET #${attribute} = :period, ${firsts.join(', ')}, #${TTL_ATTRIBUTE} = :expiresAtSec`,
      ConditionExpression: `attribute_not_exists(#${attribute}) OR #${attribute} < :period`,
      ExpressionAttributeValues: { ...values, ':expiresAtSec': expiresAtSec(access) },
    });
    if (begun.applied) return undefined;
    if (begun.current && (begun.current[attribute] as number | string) > period) return undefined;
  }
  return undefined;
}

const hasRoom = '#emailDay >= :day AND #emailAddresses < :limit';
const isBeforeDay = 'attribute_not_exists(#emailDay) OR #emailDay < :day';
const ADD_ADDRESS = `SET #emailAddresses = #emailAddresses + :one, #${TTL_ATTRIBUTE} = :expiresAtSec`;
const BEGIN_DAY = `SET #emailDay = :day, #emailAddresses = :one, #${TTL_ATTRIBUTE} = :expiresAtSec`;

/**
 * Key: the project's row. Condition: its day has room, or else it is at an earlier day. Cost: 1 write unit, 2
 * for the first of a day. Lost race: another process has begun the day, so the next try adds to it.
 */
async function addEmailAddress(
  access: TableAccess,
  userId: string,
  day: string,
  limit: number,
): Promise<'added' | 'full'> {
  const values = { ':day': day, ':one': 1, ':expiresAtSec': expiresAtSec(access) };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const added = await conditionalUpdate(access, {
      Key: usageKey(userId),
      UpdateExpression: ADD_ADDRESS,
      ConditionExpression: hasRoom,
      ExpressionAttributeValues: { ...values, ':limit': limit },
    });
    if (added.applied) return 'added';
    const begun = await conditionalUpdate(access, {
      Key: usageKey(userId),
      UpdateExpression: BEGIN_DAY,
      ConditionExpression: isBeforeDay,
      ExpressionAttributeValues: values,
    });
    if (begun.applied) return 'added';
    if (begun.current && Number(begun.current.emailAddresses) >= limit) return 'full';
  }
  return 'full';
}

const writtenIn = (row: Row | undefined, day: string): number =>
  row?.writtenDay === day ? Number(row.writtenBytes) : 0;

const ratesIn = (row: Row | undefined): Rates =>
  Object.fromEntries(RATE_FIELDS.map((field) => [field, Number(row?.[field] ?? 0)])) as {
    [Field in keyof Rates]: number;
  };

const expiresAtSec = ({ clock }: TableAccess): number => Math.ceil(clock.nowMs() / 1_000) + KEPT_FOR_SEC;

async function readUsageRow(
  { documents, table }: TableAccess,
  userId: string,
  consistent: boolean,
): Promise<Row | undefined> {
  const read = new GetCommand({ TableName: table, Key: usageKey(userId), ConsistentRead: consistent });
  return (await documents.send(read)).Item;
}

/** Cost of a read: 1 read unit, half of that if not consistent; of an addition: 1 write unit. */
export const dynamoUsageStore = (access: TableAccess): UsageStore => ({
  get: async (userId, { consistent } = { consistent: false }) =>
    usageIn(await readUsageRow(access, userId, consistent)),

  async getWithRates(userId, minute) {
    const row = await readUsageRow(access, userId, false);
    return {
      counted: usageIn(row),
      rates: row?.rateMinute === minute ? ratesIn(row) : NO_RATES,
      writtenBytes: writtenIn(row, dayOf(compactInstant(minuteStartMs(minute)))),
    };
  },

  async add(userId, usage) {
    const { Attributes } = await access.documents.send(
      new UpdateCommand({
        TableName: access.table,
        Key: usageKey(userId),
        UpdateExpression: ADD,
        ExpressionAttributeNames: namesIn(ADD),
        ExpressionAttributeValues: {
          ':none': 0,
          ':expiresAtSec': expiresAtSec(access),
          ...Object.fromEntries(USAGE_FIELDS.map((field) => [`:${field}`, usage[field]])),
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return usageIn(Attributes);
  },

  async addRates(userId, minute, rates) {
    const counts = { attribute: 'rateMinute', period: minute, added: { ...rates } } as const;
    const row = await addInPeriod(access, userId, counts);
    return row ? ratesIn(row) : rates;
  },

  writtenOn: async (userId, day) => writtenIn(await readUsageRow(access, userId, false), day),

  async addWritten(userId, day, bytes) {
    const counts = { attribute: 'writtenDay', period: day, added: { writtenBytes: bytes } } as const;
    const row = await addInPeriod(access, userId, counts);
    return row ? Number(row.writtenBytes) : bytes;
  },

  addEmailAddress: (userId, day, limit) => addEmailAddress(access, userId, day, limit),
});
