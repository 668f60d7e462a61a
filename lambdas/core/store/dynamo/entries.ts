import {
  bucketKeyOf,
  jobKeyOf,
  jobRefOf,
  minuteOf,
  parseCompactInstant,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../contracts/tables';
import { type Entry, entryBucketKey, entrySortKey } from '../../domain/entry';
import type { BucketQuery, EntryPage } from '../schedule-store';
import type { Row, TableAccess } from './access';
import { batchPut } from './batch-put';
import { DeleteCommand, GetCommand, QueryCommand } from './commands';
import { expiresAtSecOf, packedEntriesOf, packsOf } from './entry-packs';
import { allOf, namesIn } from './expressions';

const ROW_VERSION = 1;
/** A page of packs has about so many entries in each row. */
const ENTRIES_A_PACK = 10;
/** With packs, a page has at most so many times its limit. */
const MOST_TIMES = 4;

export interface EntryAccess extends TableAccess {
  /** `read`: entries may be in packs. `write`: this process also packs them. Absent: there are no packs. */
  packs?: Packs;
}

export type Packs = 'read' | 'write';

/**
 * A row stores only what its key does not say. The sort key is `<checkAt>#<jobKey>#o|c#<revision>#<dueAt>` or
 * `<checkAt>#<jobKey>#a#<execId>#<attempt>`. Small rows make cheap pages: each entry is read twice, and a
 * page costs by its bytes. TTL counts from `checkAtMs`, so the same entry is the same row whichever stage
 * writes it.
 */
function entryRowOf(entry: Entry): Row {
  const row: Row = {
    [SCHEDULE_KEY.partition]: entryBucketKey(entry),
    [SCHEDULE_KEY.sort]: entrySortKey(entry),
    [TTL_ATTRIBUTE]: expiresAtSecOf(entry),
    v: ROW_VERSION,
  };
  if (entry.rechecks !== undefined) row.rechecks = entry.rechecks;
  if (entry.hasWaited) row.hasWaited = true;
  if (entry.kind === 'attempt') {
    if (entry.userRetries !== undefined) row.userRetries = entry.userRetries;
    if (entry.aboutJobKey !== undefined) row.aboutJobKey = entry.aboutJobKey;
  }
  if (entry.kind === 'occurrence') {
    row.generation = entry.generation;
    row.runsBefore = entry.runsBefore;
    if (entry.offsetsMs?.length) row.offsetsMs = entry.offsetsMs;
    if (entry.restDecided) row.restDecided = true;
  }
  return row;
}

/** Undefined if the row is no entry of this version and bucket. */
export function entryOf(row: Row, minute: number, shard: number): Entry | undefined {
  const sortKey = row[SCHEDULE_KEY.sort];
  if (typeof sortKey !== 'string' || row.v !== ROW_VERSION) return undefined;
  const parts = sortKey.split('#');
  if (parts.length !== 5) return undefined;
  const [checkAt, jobKey, kind, what, which] = parts as [string, string, string, string, string];
  if (!isJobKey(jobKey)) return undefined;

  const checkAtMs = parseCompactInstant(checkAt);
  if (minuteOf(checkAtMs) !== minute || row[SCHEDULE_KEY.partition] !== bucketKeyOf(minute, shard))
    return undefined;
  const base = {
    jobKey,
    shard,
    checkAtMs,
    ...(row.rechecks !== undefined && { rechecks: row.rechecks as number }),
    ...(row.hasWaited === true && { hasWaited: true as const }),
  };
  const entry =
    kind === 'a'
      ? attemptOf(row, base, what, which)
      : occurrenceOf(row, base, kind, what, parseCompactInstant(which));
  return entry && entrySortKey(entry) === sortKey ? entry : undefined;
}

type Base = Pick<Entry, 'jobKey' | 'shard' | 'checkAtMs' | 'rechecks' | 'hasWaited'>;

function attemptOf(row: Row, base: Base, execId: string, attempt: string): Entry | undefined {
  const { userRetries, aboutJobKey } = row;
  const isValid =
    Number.isFinite(parseCompactInstant(execId)) &&
    /^[1-9]\d*$/.test(attempt) &&
    (userRetries === undefined || Number.isSafeInteger(userRetries)) &&
    (aboutJobKey === undefined || (typeof aboutJobKey === 'string' && isJobKey(aboutJobKey)));
  if (!isValid) return undefined;
  return {
    kind: 'attempt',
    ...base,
    execId,
    attempt: Number(attempt),
    ...(userRetries !== undefined && { userRetries: userRetries as number }),
    ...(aboutJobKey !== undefined && { aboutJobKey: aboutJobKey as string }),
  };
}

function occurrenceOf(
  row: Row,
  base: Base,
  kind: string,
  revision: string,
  dueAtMs: number,
): Entry | undefined {
  const { generation, runsBefore, offsetsMs = [], restDecided } = row;
  const isValid =
    (kind === 'o' || kind === 'c') &&
    Number.isSafeInteger(dueAtMs) &&
    typeof generation === 'number' &&
    typeof runsBefore === 'number' &&
    Array.isArray(offsetsMs) &&
    offsetsMs.every(
      (offsetMs, index) => Number.isSafeInteger(offsetMs) && offsetMs > (offsetsMs[index - 1] ?? 0),
    );
  if (!isValid) return undefined;
  return {
    kind: 'occurrence',
    ...base,
    generation,
    revision,
    dueAtMs,
    throughMs: dueAtMs + ((offsetsMs as number[]).at(-1) ?? 0),
    runsBefore,
    ...(offsetsMs.length > 0 && { offsetsMs: offsetsMs as number[] }),
    ...(restDecided === true && { restDecided }),
    ...(kind === 'c' && { catchUp: true }),
  };
}

/**
 * Whether `jobKeyOf` spells it so. With another spelling of the same key, DynamoDB rejects the whole batch.
 */
function isJobKey(text: string): boolean {
  try {
    const ref = jobRefOf(text);
    return ref.jobId !== '' && jobKeyOf(ref) === text;
  } catch {
    return false;
  }
}

/** The entries of a row, in order. Undefined if it is no entry and no pack of this version and bucket. */
export function entriesInRow(row: Row, minute: number, shard: number): Entry[] | undefined {
  if (row.pack !== undefined) return packedEntriesOf(row, minute, shard);
  const entry = entryOf(row, minute, shard);
  return entry && [entry];
}

/**
 * Key: each entry's own, or that of its pack, so the same entries are the same rows. No condition, and no
 * race to lose. Cost: 1 write unit an entry, or 1 for each KB of a pack; 25 rows a call.
 *
 * @throws WriteTimeoutError if DynamoDB has not acknowledged all of them within `withinMs`
 */
export const putEntries = (
  access: EntryAccess,
  entries: readonly Entry[],
  withinMs?: number,
): Promise<void> => batchPut(access, rowsOf(entries, access), 'entries', withinMs);

function rowsOf(entries: readonly Entry[], { packs: mode }: EntryAccess): Row[] {
  if (mode !== 'write' || entries.length < 2) return entries.map(entryRowOf);
  const { packs, alone } = packsOf(entries);
  return [...packs, ...alone.map(entryRowOf)];
}

const ofBucket = '#bucket = :bucket';
const isBefore = '#entry < :before';

/**
 * Key: the bucket's partition, sort keys in order. A consistent read returns every acknowledged entry.
 * Cost: 1 read unit each 4 KB: about 20 entries, or 40 in packs. An empty bucket costs 1. A read that is not
 * consistent costs half.
 */
export async function readBucket(access: EntryAccess, query: BucketQuery): Promise<EntryPage> {
  const { minute, shard, before, consistent = true } = query;
  const after = query.after || undefined;
  // DynamoDB rejects a start key outside of the range.
  if (before !== undefined && (before === '' || (after !== undefined && after >= before))) {
    return { entries: [], rowKeys: [], unreadable: [] };
  }

  const bucket = bucketKeyOf(minute, shard);
  const condition = before === undefined ? ofBucket : allOf(ofBucket, isBefore);
  const answer = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':bucket': bucket, ...(before !== undefined && { ':before': before }) },
      ExclusiveStartKey:
        after === undefined ? undefined : { [SCHEDULE_KEY.partition]: bucket, [SCHEDULE_KEY.sort]: after },
      Limit: access.packs === 'write' ? Math.ceil(query.limit / ENTRIES_A_PACK) : query.limit,
      ConsistentRead: consistent,
    }),
  );
  const page: EntryPage = {
    entries: [],
    rowKeys: [],
    unreadable: [],
    nextAfter: answer.LastEvaluatedKey?.[SCHEDULE_KEY.sort] as string | undefined,
  };
  let through: string | undefined;
  for (const row of answer.Items ?? []) {
    const key = row[SCHEDULE_KEY.sort] as string;
    const entries = entriesInRow(row, minute, shard);
    const size = page.entries.length + (entries?.length ?? 0);
    // Without `write`, many rows are read, and all of them may be packs. The next page reads the rest again.
    if (through !== undefined && size > MOST_TIMES * query.limit) return { ...page, nextAfter: through };
    through = key;
    if (!entries) page.unreadable.push(key);
    for (const entry of entries ?? []) {
      page.entries.push(entry);
      page.rowKeys.push(key);
    }
  }
  return page;
}

/** Whether the entry has a row of its own. Key: the entry's own. Consistent. Cost: 1 read unit. */
export async function hasRowOf(access: TableAccess, entry: Entry): Promise<boolean> {
  const { Item } = await access.documents.send(
    new GetCommand({
      TableName: access.table,
      Key: { [SCHEDULE_KEY.partition]: entryBucketKey(entry), [SCHEDULE_KEY.sort]: entrySortKey(entry) },
      ProjectionExpression: '#entry',
      ExpressionAttributeNames: namesIn('#entry'),
      ConsistentRead: true,
    }),
  );
  return Item !== undefined;
}

/**
 * Key: the entry's own. No condition, and no race to lose. An entry in a pack stays: its recheck settles it.
 * Cost: 1 write unit.
 */
export async function removeEntry(access: TableAccess, entry: Entry): Promise<void> {
  const Key = {
    [SCHEDULE_KEY.partition]: entryBucketKey(entry),
    [SCHEDULE_KEY.sort]: entrySortKey(entry),
  };
  await access.documents.send(new DeleteCommand({ TableName: access.table, Key }));
}
