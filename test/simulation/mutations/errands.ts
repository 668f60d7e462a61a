import type { ErrandRecord } from '../log';
import type { Mutable, Mutation } from './log-edits';

type Told<Type extends ErrandRecord['type']> = Mutable[0] & ErrandRecord & { type: Type };

const told = <Type extends ErrandRecord['type']>(
  records: Mutable,
  type: Type,
  fits: (record: Told<Type>) => boolean = () => true,
): Told<Type> => {
  const found = records.find(
    (record): record is Told<Type> =>
      record.src === 'errand' && record.type === type && fits(record as Told<Type>),
  );
  if (!found) throw new Error(`the valid log has no such errand: ${type}`);
  return found;
};

/** Logs that break what is promised of errands. */
export const errands: readonly Mutation[] = [
  [
    'errand-once',
    'one name starts two errands',
    (records) => records.unshift({ ...told(records, 'start', ({ isNew }) => isNew) }),
  ],
  [
    'errands-apart',
    'an errand starts before the one before it has ended',
    (records) => {
      const end = told(records, 'end');
      const name = end.name.replace(/\d+$/, (count) => String(Number(count) + 1));
      records.unshift({ ...told(records, 'start', (one) => one.name === end.name), name, t: end.t - 1 });
    },
  ],
  [
    'errand-told',
    'an errand has succeeded, and its execution has not',
    (records) =>
      Object.assign(
        told(records, 'end', ({ how }) => how === 'stopped'),
        { how: 'succeeded' },
      ),
  ],
  [
    'errand-stopped',
    'an errand runs on after its execution has ended',
    (records) => records.splice(records.indexOf(told(records, 'end')), 1),
  ],
  [
    'gates-cover',
    'an execution ends before its errand',
    (records) => Object.assign(told(records, 'end'), { t: told(records, 'end').t + 60_000 }),
  ],
  [
    'right-one',
    'an errand belongs to no execution',
    (records) => Object.assign(told(records, 'start'), { name: 'qj-51ab07-0-0' }),
  ],
];
