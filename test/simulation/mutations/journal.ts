import type { TableRecord } from '../log';
import type { Mutable, Mutation } from './log-edits';

type EndsRecord = Mutable[0] & TableRecord & { type: 'ends' };

const rowsOf = (records: Mutable): EndsRecord[] =>
  records.filter((record): record is EndsRecord => record.src === 'table' && record.type === 'ends');

/** Logs that break what is promised of the journal of ends. */
export const journal: readonly Mutation[] = [
  [
    'journal-whole',
    'a row of ends was never written',
    (records) => {
      const [first] = rowsOf(records);
      const { ends } = first!;
      for (const row of rowsOf(records))
        Object.assign(row, { ends: row.ends.filter((end) => !isOneOf(end, ends)) });
    },
  ],
  [
    'journal-true',
    'an end is in the journal with another status',
    (records) => {
      for (const { ends } of rowsOf(records))
        for (const end of ends) if (end.status === 'succeeded') Object.assign(end, { status: 'failed' });
    },
  ],
];

const isOneOf = ({ jobId, execId }: EndsRecord['ends'][number], ends: EndsRecord['ends']): boolean =>
  ends.some((other) => other.jobId === jobId && other.execId === execId);
