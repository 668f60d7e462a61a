import { setImmediate as nextPhase } from 'node:timers/promises';

import { type JournalOptions, openJournal } from '../../../../../../local/services/dynamodb/journal/journal';
import { changeOf, decode, encodeChange } from '../../../../../../local/services/dynamodb/journal/records';
import { PACING } from '../../../../../../local/services/dynamodb/journal/snapshot';
import { FakeRandom } from '../../../../../support/fake-random';
import { readBack, Rows } from '../../../../../support/local/journal-play';
import { SimulatedDisk } from '../../../../../support/local/simulated-disk';

const row = (number: number, text = '') => ({ table: 'Jobs', key: ['p', `j${number}`], item: { text } });

/** A journal on an empty disk, whose operations are counted from when it is open. */
async function openEmpty(options: Partial<JournalOptions> = {}) {
  const disk = new SimulatedDisk(new FakeRandom(1));
  const rows = new Rows();
  const onFailure = jest.fn();
  const journal = await openJournal(disk.files, {
    apply: (change) => rows.apply(change),
    rows: () => rows.all(),
    onFailure,
    onWarning: jest.fn(),
    pacing: { sliceBytes: 1_000, pause: () => nextPhase() },
    beforeWrite: () => Promise.resolve(),
    ...options,
  });
  const kinds: string[] = [];
  let last = -1;
  disk.onOperation = (kind, name, number) => {
    if (number > last) kinds.push(`${kind} ${name}`.trim());
    last = number;
  };
  const put = (number: number, text?: string): void => {
    rows.apply(row(number, text));
    journal.append(row(number, text));
  };
  return { disk, rows, journal, kinds, put, onFailure };
}

/** Lets the journal do all that it can. */
const settle = async (): Promise<void> => {
  for (let phase = 0; phase < 200; phase++) await nextPhase();
};

/** Syncs of a file take until the returned function is called. */
function blockSyncs(disk: SimulatedDisk, name: string): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  disk.latency = (kind, of) => (kind === 'sync' && of === name ? released : Promise.resolve());
  return release;
}

const names = (disk: SimulatedDisk): string[] => disk.list();

test.each([
  ['a put', { table: 'T', key: ['p', 's'], item: { a: [1, 2.5, null, true], b: { c: '' } } }],
  ['a delete', { table: 'T', key: ['p', 's'], item: undefined }],
  [
    'any text',
    { table: 'T\n', key: ['\u0000\ud800', 'ü\r\n"'], item: { '😀': '\u2028\udc00', __proto__x: 1 } },
  ],
])('%s is read back as it was written', (_, change) => {
  const bytes = encodeChange(change, false);
  expect(bytes.indexOf(10)).toBe(bytes.length - 1);
  expect(changeOf(decode(bytes.subarray(0, -1))!.value)).toEqual(change);
});

test('a change of any bit of a record is noticed', () => {
  const bytes = encodeChange(row(1), true).subarray(0, -1);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const copy = Buffer.from(bytes);
    copy[bit >> 3]! ^= 1 << (bit & 7);
    expect(decode(copy)).toBeUndefined();
  }
});

describe('flushed', () => {
  test('resolves at once if all changes are on disk', async () => {
    const { journal, kinds } = await openEmpty();
    await journal.flushed();
    expect(kinds).toEqual([]);
  });

  test('shares one write and one sync, and one promise', async () => {
    const { journal, kinds, put } = await openEmpty();
    put(1);
    const first = journal.flushed();
    put(2);
    expect(journal.flushed()).toBe(first);
    await first;
    expect(kinds).toEqual(['write journal-0', 'sync journal-0']);
  });

  test('does not resolve with a sync that began before the change was written', async () => {
    const { disk, journal, put } = await openEmpty();
    const release = blockSyncs(disk, 'journal-0');
    put(1);
    const first = journal.flushed();
    await settle();
    put(2);
    const second = journal.flushed();
    expect(second).not.toBe(first);
    release();
    await second;
    expect(await readBack(disk.afterCrash('all lost'))).toContain('"j2"');
  });

  test('comes with that of all changes before the next write', async () => {
    const waits: { sinceLastMs: number; end: () => void }[] = [];
    const { journal, kinds, put } = await openEmpty({
      beforeWrite: (sinceLastMs) => new Promise((end) => waits.push({ sinceLastMs, end })),
    });
    put(1);
    await settle();
    put(2);
    const flushed = journal.flushed();
    waits[0]!.end();
    await flushed;
    put(3);
    await settle();
    expect(kinds).toEqual(['write journal-0', 'sync journal-0']);
    expect(waits.map(({ sinceLastMs }) => Number.isFinite(sinceLastMs))).toEqual([false, true]);
    waits[1]!.end();
    await journal.flushed();
    expect(kinds).toHaveLength(4);
  });

  test('is not needed: changes are written without it', async () => {
    const { disk, put } = await openEmpty();
    put(1);
    await settle();
    expect(await readBack(disk.afterCrash('all lost'))).toContain('"j1"');
  });
});

describe('close', () => {
  test('writes what is left, and takes no more', async () => {
    const { disk, journal, put } = await openEmpty();
    put(1);
    const closed = journal.close();
    expect(() => journal.append(row(2))).toThrow('the journal is closed');
    expect(journal.close()).toBe(closed);
    await closed;
    expect(await readBack(disk.afterCrash('all lost'))).toContain('"j1"');
  });

  test('gives a snapshot up, also in its pause', async () => {
    const pauses: number[] = [];
    const { disk, journal, put, onFailure } = await openEmpty({
      snapshotAtBytes: 1,
      pacing: {
        sliceBytes: 1,
        pause: (busyMs, signal) => {
          pauses.push(busyMs);
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stop'))),
          );
        },
      },
    });
    put(1);
    await settle();
    expect(names(disk)).toEqual(['journal-0', 'journal-1', 'snapshot-1.part']);
    put(2);
    await journal.close();
    expect(names(disk)).toEqual(['journal-0', 'journal-1']);
    expect(pauses[0]).toBeGreaterThan(0);
    expect(onFailure).not.toHaveBeenCalled();
    expect(await readBack(disk)).toMatch(/"j1".*\n.*"j2"/);
  });
});

describe('a snapshot', () => {
  test('is written once the journal is larger than the threshold, and than the last snapshot', async () => {
    const { disk, journal, put, rows } = await openEmpty({ snapshotAtBytes: 1_000 });
    put(1, 'x'.repeat(800));
    await journal.flushed();
    await settle();
    expect(names(disk)).toEqual(['journal-0']);
    for (let number = 2; number < 10; number++) put(number, 'x'.repeat(800));
    await journal.flushed();
    await settle();
    expect(names(disk)).toEqual(['journal-1', 'snapshot-1']);
    for (let number = 1; number < 8; number++) put(number);
    put(1, 'y'.repeat(3_000));
    await journal.flushed();
    await settle();
    expect(names(disk)).toEqual(['journal-1', 'snapshot-1']);
    put(1, 'z'.repeat(8_000));
    await journal.flushed();
    await settle();
    expect(names(disk)).toEqual(['journal-2', 'snapshot-2']);
    expect(await readBack(disk)).toBe(rows.text());
  });

  test('pauses several times as long as it has worked, and not after an abort', async () => {
    const startedMs = performance.now();
    await PACING.pause(2, new AbortController().signal);
    expect(performance.now() - startedMs).toBeGreaterThan(10);
    await expect(PACING.pause(1_000_000, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  test('counts once all changes that it may contain are on disk', async () => {
    const { disk, journal, kinds, put, rows } = await openEmpty({ snapshotAtBytes: 1 });
    put(1);
    while (!kinds.includes('create snapshot-1.part')) await nextPhase();
    const release = blockSyncs(disk, 'journal-1');
    put(2);
    await settle();
    expect(kinds).toContain('sync snapshot-1.part');
    expect(names(disk)).toEqual(['journal-0', 'journal-1', 'snapshot-1.part']);
    release();
    await journal.flushed();
    await settle();
    expect(names(disk)).toEqual(['journal-1', 'snapshot-1']);
    expect(await readBack(disk.afterCrash('all lost'))).toBe(rows.text());
  });

  test('fails the journal if the rows cannot be read', async () => {
    const failures: Error[] = [];
    const { journal, put } = await openEmpty({
      snapshotAtBytes: 1,
      rows: () => {
        throw new Error('no rows');
      },
      onFailure: (error) => failures.push(error),
    });
    put(1);
    await journal.flushed();
    await settle();
    expect(failures.map(({ message }) => message)).toEqual(['cannot write /disk/snapshot-1.part: no rows']);
    await expect(journal.flushed()).rejects.toThrow('no rows');
  });
});
