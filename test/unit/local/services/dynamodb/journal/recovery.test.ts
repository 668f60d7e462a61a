import { crc32 } from 'node:zlib';

import { encodeChange, encodeEnd, HEADER } from '../../../../../../local/services/dynamodb/journal/records';
import { FakeRandom } from '../../../../../support/fake-random';
import { openOn, readBack, Rows } from '../../../../../support/local/journal-play';
import { SimulatedDisk } from '../../../../../support/local/simulated-disk';

const row = (number: number) => ({ table: 'Jobs', key: ['p', `j${number}`], item: { number } });
const line = (number: number, startsWrite = false): Buffer => encodeChange(row(number), startsWrite);

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
};

function diskWith(files: Record<string, Buffer[]>): SimulatedDisk {
  const disk = new SimulatedDisk(new FakeRandom(1));
  for (const [name, parts] of Object.entries(files)) disk.put(name, Buffer.concat(parts));
  return disk;
}

const textOf = (...numbers: number[]): string => {
  const rows = new Rows();
  for (const number of numbers) rows.apply(row(number));
  return rows.text();
};

const withHeader = (value: unknown): Buffer => {
  const rest = `*${JSON.stringify(value)}`;
  return Buffer.from(`${crc32(rest).toString(16).padStart(8, '0')}${rest}\n`);
};

const SNAPSHOT = [HEADER, line(1), line(2), encodeEnd(2)];
const JOURNAL = [HEADER, line(3, true), line(4)];

test('the rows of the snapshot, and the changes of the journals from its number on', async () => {
  const disk = diskWith({
    'snapshot-2': SNAPSHOT,
    'journal-2': JOURNAL,
    'journal-3': [HEADER, line(5, true), encodeChange({ ...row(1), item: undefined }, false)],
    'journal-1': [HEADER, line(9, true)],
    'snapshot-1': [HEADER, line(8), encodeEnd(1)],
    'snapshot-3.part': [HEADER, line(7)],
    'notes.txt': [],
  });
  expect(await readBack(disk)).toBe(textOf(2, 3, 4, 5));
  expect(disk.list()).toEqual(['journal-2', 'journal-3', 'notes.txt', 'snapshot-2']);
});

test('numbers are compared as numbers', async () => {
  const disk = diskWith({ 'snapshot-10': SNAPSHOT, 'snapshot-9': [], 'journal-10': [HEADER] });
  expect(await readBack(disk)).toBe(textOf(1, 2));
});

describe('an incomplete last write', () => {
  const whole = Buffer.concat(JOURNAL);

  test.each(Array.from({ length: line(4).length }, (_, index) => index + 1))(
    'is dropped, %i bytes short',
    async (short) => {
      const left = whole.subarray(0, -short);
      const disk = diskWith({ 'journal-0': [left] });
      const rows = new Rows();
      const warnings: string[] = [];
      await openOn(disk.files, rows, { failures: [], warnings });
      expect(rows.text()).toBe(textOf(3));
      const kept = whole.length - line(4).length;
      expect(disk.content('journal-0')!.toString()).toBe(whole.subarray(0, kept).toString());
      expect(warnings).toHaveLength(short === line(4).length ? 0 : 1);
      for (const text of warnings)
        expect(text).toMatch(
          `/disk/journal-0 was incomplete: ${left.length - kept} bytes were dropped. No change was lost`,
        );
    },
  );

  test('is dropped with all that follows a hole in it, for good', async () => {
    const disk = diskWith({ 'journal-0': [...JOURNAL, Buffer.alloc(line(5).length), line(6)] });
    const journal = await openOn(disk.files, new Rows(), { failures: [], warnings: [] });
    // Exactly fills the hole: the record behind it would be sound again.
    journal.append(row(5));
    await journal.close();
    expect(await readBack(disk)).toBe(textOf(3, 4, 5));
  });

  test('may be the header', async () => {
    for (let length = 0; length < HEADER.length; length++) {
      const disk = diskWith({
        'journal-0': JOURNAL,
        'journal-1': [HEADER.subarray(0, length)],
      });
      expect(await readBack(disk)).toBe(textOf(3, 4));
      expect(disk.content('journal-1')!.toString()).toBe(HEADER.toString());
    }
  });
});

describe('is not opened', () => {
  const start = Buffer.concat([HEADER, line(1, true)]).length;
  test.each<[string, Record<string, Buffer[]>, RegExp]>([
    [
      'with damage in a journal that is not the last',
      { 'journal-0': [HEADER, line(1, true), flipped(line(2), 20)], 'journal-1': JOURNAL },
      new RegExp(`/disk/journal-0 is damaged at byte ${start}: `),
    ],
    [
      'with an incomplete record in a journal that is not the last',
      { 'journal-0': [HEADER, line(1, true).subarray(0, -1)], 'journal-1': JOURNAL },
      new RegExp(`/disk/journal-0 is damaged at byte ${HEADER.length}: `),
    ],
    [
      'with an empty journal that is not the last',
      { 'journal-0': [], 'journal-1': JOURNAL },
      /\/disk\/journal-0 is damaged at byte 0: /,
    ],
    [
      'with damage before a write that was on disk in full',
      { 'journal-0': [HEADER, line(1, true), flipped(line(2), 20), line(3), line(4, true)] },
      new RegExp(`/disk/journal-0 is damaged at byte ${start}: acknowledged changes follow`),
    ],
    [
      'with a damaged header before changes',
      { 'journal-0': [flipped(HEADER, 12), line(1)] },
      /\/disk\/journal-0 is damaged at byte 0: /,
    ],
    [
      'with damage in the snapshot',
      { 'snapshot-1': [HEADER, line(1), flipped(line(2), 12), encodeEnd(2)], 'journal-1': JOURNAL },
      /\/disk\/snapshot-1 is damaged at byte \d+: a checksum/,
    ],
    [
      'with a snapshot without an end',
      { 'snapshot-1': [HEADER, line(1), line(2)], 'journal-1': JOURNAL },
      /\/disk\/snapshot-1 is damaged at byte \d+: its end is missing/,
    ],
    [
      'with an empty snapshot',
      { 'snapshot-1': [], 'journal-1': JOURNAL },
      /\/disk\/snapshot-1 is damaged at byte 0: its end is missing/,
    ],
    [
      'with a snapshot that lacks a row',
      { 'snapshot-1': [HEADER, line(2), encodeEnd(2)], 'journal-1': JOURNAL },
      /\/disk\/snapshot-1 is damaged at byte \d+: it has 1 rows of 2/,
    ],
    [
      'with a snapshot that goes on after its end',
      { 'snapshot-1': [...SNAPSHOT, line(3)], 'journal-1': JOURNAL },
      /\/disk\/snapshot-1 is damaged at byte \d+: a record follows its end/,
    ],
    [
      'with another record in a journal',
      { 'journal-0': [...JOURNAL, encodeEnd(2)] },
      /\/disk\/journal-0 is damaged at byte \d+: a record is no change/,
    ],
    ['without the first journal', { 'journal-1': JOURNAL }, /\/disk\/journal-0 is missing/],
    [
      'without a journal between others',
      { 'snapshot-3': SNAPSHOT, 'journal-3': JOURNAL, 'journal-5': JOURNAL },
      /\/disk\/journal-4 is missing/,
    ],
    ['without the journal of the snapshot', { 'snapshot-3': SNAPSHOT }, /\/disk\/journal-3 is missing/],
    [
      'in another version of the format',
      { 'journal-0': [withHeader({ format: 'quarterjack-tables', version: 2 })] },
      /\/disk\/journal-0 has version 2 of its format, and this version of Quarterjack reads 1$/,
    ],
    ['in another format', { 'journal-0': [withHeader({ format: 'x' })] }, /has another format$/],
    ['with the tables of an earlier version', { CURRENT: [] }, /written by an earlier version .* --data/],
    ['with a part of these tables', { 'MANIFEST-000004': [] }, /written by an earlier version/],
  ])('%s', async (_, files, message) => {
    const disk = diskWith(files);
    const names = disk.list();
    await expect(readBack(disk)).rejects.toThrow(message);
    expect(disk.operations).toBe(0);
    expect(disk.list()).toEqual(names);
  });
});
