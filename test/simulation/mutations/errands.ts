import type { ErrandRecord } from '../log';
import type { Mutable, Mutation } from './log-edits';

type Found<Type extends ErrandRecord['type']> = Mutable[0] & ErrandRecord & { type: Type };

const firstOf = <Type extends ErrandRecord['type']>(
  records: Mutable,
  type: Type,
  fits: (record: Found<Type>) => boolean = () => true,
): Found<Type> => {
  const found = records.find(
    (record): record is Found<Type> =>
      record.src === 'errand' && record.type === type && fits(record as Found<Type>),
  );
  if (!found) throw new Error(`the valid log has no such errand: ${type}`);
  return found;
};

/** Logs that break what is promised of errands. */
export const errands: readonly Mutation[] = [
  [
    'errand-once',
    'one name starts two errands',
    (records) => records.unshift({ ...firstOf(records, 'start', ({ isNew }) => isNew) }),
  ],
  [
    'errands-apart',
    'an errand starts before the one before it has ended',
    (records) => {
      const end = firstOf(records, 'end');
      const name = end.name.replace(/\d+$/, (count) => String(Number(count) + 1));
      records.unshift({ ...firstOf(records, 'start', (one) => one.name === end.name), name, t: end.t - 1 });
    },
  ],
  [
    'errand-on-time',
    'an errand has succeeded, and its execution has not',
    (records) =>
      Object.assign(
        firstOf(records, 'end', ({ how }) => how === 'stopped'),
        { how: 'succeeded' },
      ),
  ],
  [
    'errand-ends',
    'a watcher waits two hours longer than the time of its errand',
    (records) => {
      for (const record of records)
        if (record.src === 'table' && record.type === 'execution' && record.execution.delegatedTo?.errand)
          record.execution.delegatedTo = { ...record.execution.delegatedTo, endsAtMs: record.t - 7_200_000 };
    },
  ],
  [
    'errand-stopped',
    'an errand runs on after its execution has ended',
    (records) => records.splice(records.indexOf(firstOf(records, 'end')), 1),
  ],
  [
    'gates-cover',
    'an execution ends before its errand',
    (records) => Object.assign(firstOf(records, 'end'), { t: firstOf(records, 'end').t + 60_000 }),
  ],
  [
    'probes-bounded',
    'a probe is made thirteen times at once',
    (records) => {
      const probe = firstOf(records, 'probe', ({ by }) => by !== undefined);
      records.push(...Array.from({ length: 12 }, () => ({ ...probe })));
    },
  ],
  [
    'right-one',
    'an errand belongs to no execution',
    (records) => Object.assign(firstOf(records, 'start'), { name: 'qj-51ab07-0-0' }),
  ],
];
