import type { EndRecord, LogRecord } from './log';
import { recordsKnown } from './restored-log';

const node = 'executor-1';
const starts = (t: number, name: string, isNew = true): LogRecord =>
  ({ n: t, t, src: 'errand', type: 'start', name, node, isNew }) as LogRecord;
const ends = (t: number, name: string): LogRecord =>
  ({ n: t, t, src: 'errand', type: 'end', name, how: 'succeeded' }) as LogRecord;

test('of errands, the tables know those that began before the second to which they were put back', () => {
  const kept = [starts(5, 'kept'), ends(25, 'kept')];
  const later = [starts(50, 'later'), ends(60, 'later')];
  const known = recordsKnown({
    tables: 'all',
    toMs: 10,
    atMs: 30,
    before: {
      records: [kept[0]!, starts(20, 'forgotten'), kept[1]!],
      end: {} as EndRecord,
    },
    since: [starts(40, 'forgotten', false), ends(45, 'forgotten'), ...later],
  });
  expect(known).toEqual([...kept, ...later]);
});
