import type { ConcurrencyKeyRef } from '../../../lambdas/core/contracts/tables';
import { DEFAULT_CONCURRENCY } from '../../../lambdas/core/domain/concurrency-key';
import type { Rate } from '../../../lambdas/core/domain/start-log';
import type { Story } from '../story';
import { groupBy } from '../story';
import { indexed } from '../story-index';

/** An executor read a limit at most this long before it acts on it: it lives no longer, frozen or not. */
export const OLDEST_READ_MS = 900_000;
/** How old a read of the table may be once no node is frozen any more. */
export const RECENT_READ_MS = 10_000;

/** What a key may do, as it was read at some moment. */
export interface KeyLimits {
  limit: number;
  rate?: Rate;
}

/** What was in the table from a time on, under the name of a key or of a rule: undefined, nothing. */
interface Definition {
  fromMs: number;
  name: string;
  limits: KeyLimits | undefined;
}

type Read = Pick<Story, 'records'>;

const definitions = indexed((records: Story['records']) => {
  const all = records.flatMap((record) => {
    if (record.src !== 'table' || record.type !== 'concurrency-key') return [];
    const { t: fromMs, userId, concurrencyKey: name, limit, rate } = record;
    return [{ userId, fromMs, name, limits: limit === undefined ? undefined : { limit, rate } }];
  });
  return groupBy(all, ({ userId }) => userId);
});

/** The names that a project gave to keys and rules, at any time. */
const namesOf = ({ records }: Read, userId: string): Set<string> =>
  new Set(
    definitions(records)
      .get(userId)
      ?.map(({ name }) => name),
  );

const isAbout = (name: string, key: string): boolean =>
  name.endsWith('*') && key.startsWith(name.slice(0, -1));

/** What had a name in a part of the log. Before its beginning, nothing reads. */
function statesOf(all: readonly Definition[], name: string, fromMs: number, untilMs: number) {
  const own = [
    { fromMs: Number.NEGATIVE_INFINITY, name, limits: undefined },
    ...all.filter((one) => one.name === name),
  ];
  return own
    .filter(
      (one, index) => one.fromMs <= untilMs && (own[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY) > fromMs,
    )
    .map(({ limits }) => limits);
}

/**
 * All limits that an executor may have read for a key in a period. These are its own ones. While it has none,
 * they are those of the longest rule that it begins with, or the default.
 */
export function limitsRead(
  { records }: Read,
  { userId, concurrencyKey: key }: ConcurrencyKeyRef,
  period: { fromMs: number; untilMs: number },
): KeyLimits[] {
  const all = definitions(records).get(userId) ?? [];
  const fromMs = Math.max(period.fromMs, records[0]?.t ?? 0);
  const own = statesOf(all, key, fromMs, period.untilMs);
  const defined = own.flatMap((limits) => limits ?? []);
  if (!own.includes(undefined)) return defined;
  const changes = all.map((one) => one.fromMs).filter((ms) => ms > fromMs && ms <= period.untilMs);
  const ofRules = [fromMs, ...changes].map(
    (atMs) => ruleAt(all, key, atMs) ?? { limit: DEFAULT_CONCURRENCY },
  );
  return [...defined, ...ofRules];
}

function ruleAt(all: readonly Definition[], key: string, atMs: number): KeyLimits | undefined {
  const rules = new Map<string, KeyLimits | undefined>();
  for (const { name, fromMs, limits } of all)
    if (isAbout(name, key) && fromMs <= atMs) rules.set(name, limits);
  return [...rules]
    .filter(([, limits]) => limits !== undefined)
    .sort(([a], [b]) => b.length - a.length)[0]?.[1];
}

/** The rate of a key, if it had one and the same in a whole period: a change counts from its time. */
export function rateThroughout(
  story: Read,
  ref: ConcurrencyKeyRef,
  period: { fromMs: number; untilMs: number },
): Rate | undefined {
  const [first, ...others] = limitsRead(story, ref, period).map(({ rate }) => rate);
  const isSame = others.every((one) => one?.limit === first?.limit && one?.per === first?.per);
  return isSame ? first : undefined;
}

/** Whether a key is but the beginning of derived ones. What has it calls nothing, and needs no slot. */
export const isBeginning = (story: Read, { userId, concurrencyKey }: ConcurrencyKeyRef): boolean =>
  namesOf(story, userId).has(`${concurrencyKey}*`);

/** The concurrency keys of all executions. */
export function keysIn({ states }: Pick<Story, 'states'>): ConcurrencyKeyRef[] {
  const keys = new Map<string, ConcurrencyKeyRef>();
  for (const [id, all] of states)
    for (const { execution } of all) {
      const { concurrencyKey } = execution;
      if (concurrencyKey === undefined) continue;
      const userId = id.slice(0, id.indexOf('/'));
      keys.set(`${userId} ${concurrencyKey}`, { userId, concurrencyKey });
    }
  return [...keys.values()];
}
