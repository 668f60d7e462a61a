import type { TableRecord } from '../log';
import type { CollectorRecord } from '../collected';
import type { ExportedLine } from '../exported';
import type { Mutable, Mutation } from './log-edits';

type EndsRecord = Mutable[0] & TableRecord & { type: 'ends' };

const rowsOf = (records: Mutable): EndsRecord[] =>
  records.filter((record): record is EndsRecord => record.src === 'table' && record.type === 'ends');

type ObjectRecord = Mutable[0] & { src: 'archive'; lines: ExportedLine[] };

const objectsOf = (records: Mutable): ObjectRecord[] =>
  records.filter((record): record is ObjectRecord => record.src === 'archive');

type CollectedRecord = Mutable[0] & CollectorRecord;

const collected = (records: Mutable): CollectedRecord[] =>
  records.filter((record): record is CollectedRecord => record.src === 'collector');

const spansOf = (records: Mutable) =>
  collected(records).flatMap(({ spans }) => spans.flatMap((span) => (span.of === 'execution' ? [span] : [])));

const tagsOf = (records: Mutable): TagRecord[] =>
  records.filter((record): record is TagRecord => record.src === 'table' && record.type === 'run-tag');

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
  [
    'export-whole',
    'an execution has no line in any object',
    (records) => {
      const objects = objectsOf(records);
      const [first] = objects[0]!.lines;
      for (const object of objects)
        Object.assign(object, { lines: object.lines.filter(({ execId }) => execId !== first!.execId) });
    },
  ],
  [
    'export-true',
    'lines say another status',
    (records) => {
      for (const { lines } of objectsOf(records))
        for (const line of lines) if (line.status === 'succeeded') Object.assign(line, { status: 'failed' });
    },
  ],
  [
    'span-whole',
    'an execution has no span',
    (records) => {
      const [first] = spansOf(records);
      for (const one of collected(records))
        Object.assign(one, {
          spans: one.spans.filter((span) => !('execId' in span) || span.execId !== first!.execId),
        });
    },
  ],
  [
    'span-whole',
    'no attempt has a span',
    (records) => {
      for (const one of collected(records))
        Object.assign(one, { spans: one.spans.filter((span) => span.of !== 'attempt') });
    },
  ],
  [
    'span-true',
    'a span is sent before its execution has ended',
    (records) => {
      collected(records)[0]!.t -= 600_000;
    },
  ],
  [
    'span-true',
    'spans say another status',
    (records) => {
      for (const span of spansOf(records)) if (span.status === 'succeeded') span.status = 'failed';
    },
  ],
  [
    'run-tags',
    'the rows of one execution were never written',
    (records) => {
      const [first] = tagsOf(records);
      for (const row of tagsOf(records))
        if (row.execId === first!.execId && row.jobKey === first!.jobKey) Object.assign(row, { runTag: '' });
    },
  ],
  [
    'run-tags',
    'an execution is found by a tag that it never had',
    (records) => void Object.assign(tagsOf(records)[0]!, { execId: '20200101T000000.000Z' }),
  ],
];

type TagRecord = Mutable[0] & TableRecord & { type: 'run-tag' };

const isOneOf = ({ jobId, execId }: EndsRecord['ends'][number], ends: EndsRecord['ends']): boolean =>
  ends.some((other) => other.jobId === jobId && other.execId === execId);
