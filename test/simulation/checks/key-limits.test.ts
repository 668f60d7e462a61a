import type { Rate } from '../../../lambdas/core/domain/start-log';
import type { Story } from '../story';
import { limitsRead, rateThroughout } from './key-limits';

const RATE = { limit: 2, per: '1m' };

/** A record of what has a name from a time on. */
const defined = (t: number, concurrencyKey: string, limit?: number, rate?: Rate) =>
  ({ src: 'table', type: 'concurrency-key', userId: 'alice', concurrencyKey, limit, rate, t }) as const;

type Records = ReturnType<typeof defined>[];

const storyOf = (...records: Records) => ({ records }) as unknown as Pick<Story, 'records'>;
const KEY = { userId: 'alice', concurrencyKey: 'crm.acme' };

const limits = (fromMs: number, untilMs: number, ...records: Records): number[] =>
  limitsRead(storyOf(...records), KEY, { fromMs, untilMs }).map(({ limit }) => limit);

test('a key has its own limit, else that of the longest rule, else one', () => {
  const rules = [defined(0, 'c*', 7), defined(0, 'crm.*', 3), defined(0, 'crm.b*', 9)];
  expect(limits(5, 6, ...rules)).toEqual([3]);
  expect(limits(5, 6, ...rules, defined(1, 'crm.acme', 5))).toEqual([5]);
  expect(limits(5, 6, defined(0, 'other', 4))).toEqual([1]);
});

test('a change counts from its time: both limits may have been read in a period in which it comes', () => {
  const own = [defined(0, 'crm.*', 3), defined(10, 'crm.acme', 5), defined(20, 'crm.acme')];
  expect(limits(1, 9, ...own)).toEqual([3]);
  expect(limits(5, 15, ...own)).toEqual(expect.arrayContaining([3, 5]));
  expect(limits(11, 19, ...own)).toEqual([5]);
  expect(limits(21, 30, ...own)).toEqual([3]);
  expect(limits(11, 30, ...own, defined(25, 'crm.*', 8))).toEqual(expect.arrayContaining([5, 3, 8]));
});

test('a rate counts where a key has had it throughout, by its own definition or by its rule', () => {
  const through = (fromMs: number, ...records: Records) =>
    rateThroughout(storyOf(...records), KEY, { fromMs, untilMs: 100 });
  expect(through(0, defined(0, 'crm.*', 3, RATE))).toEqual(RATE);
  expect(through(20, defined(0, 'crm.*', 3, RATE), defined(10, 'crm.acme', 3))).toBeUndefined();
  expect(through(20, defined(0, 'crm.*', 3), defined(10, 'crm.acme', 3, RATE))).toEqual(RATE);
  expect(through(5, defined(0, 'crm.*', 3), defined(10, 'crm.acme', 3, RATE))).toBeUndefined();
});
