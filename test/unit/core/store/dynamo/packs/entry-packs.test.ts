import { minuteOf } from '../../../../../../lambdas/core/contracts/tables';
import { type Entry, entrySortKey, type OccurrenceEntry } from '../../../../../../lambdas/core/domain/entry';
import type { Row } from '../../../../../../lambdas/core/store/dynamo/access';
import { packedEntriesOf, packsOf } from '../../../../../../lambdas/core/store/dynamo/entry-packs';
import { anAttemptEntry, anOccurrenceEntry, T0_MS } from '../../../../../support/factories';
import { FakeRandom } from '../../../../../support/fake-random';

const minute = minuteOf(T0_MS);
const revision = new FakeRandom().id();
const entryOf = (index: number, more: Partial<OccurrenceEntry> = {}): OccurrenceEntry =>
  anOccurrenceEntry({ jobKey: `alice/job-${index}`, revision, ...more });
const many = (count: number): OccurrenceEntry[] =>
  Array.from({ length: count }, (_, index) => entryOf(index, { dueAtMs: T0_MS + (index % 10) * 1_000 }));
const unpack = (row: Row): Entry[] => packedEntriesOf(row, minute, 0)!;
const keysOf = (entries: readonly Entry[]): string[] => entries.map(entrySortKey).sort();
/** As the tables count: names and values of all attributes. */
const bytesOf = (row: Row): number =>
  Object.entries(row).reduce(
    (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? Buffer.byteLength(value) : 8),
    0,
  );

describe('packsOf', () => {
  it('keeps every entry once, as it was, on either side of a border', () => {
    const entries = [
      ...many(300),
      entryOf(1_000, { generation: 7, runsBefore: 12, checkAtMs: T0_MS + 4_000 }),
      entryOf(1_001, { offsetsMs: [1_000, 9_000], throughMs: T0_MS + 9_000, checkAtMs: T0_MS + 9_000 }),
      entryOf(1_002, { jobKey: 'u%23/ünïcode' }),
    ];
    const { packs, alone } = packsOf([...entries, entries[0]!, entries[7]!]);
    const kept = [...packs.flatMap(unpack), ...alone];
    expect(kept).toHaveLength(entries.length);
    expect(new Map(kept.map((entry) => [entry.jobKey, entry]))).toEqual(
      new Map(entries.map((entry) => [entry.jobKey, entry])),
    );
    expect(packs.length).toBeGreaterThan(5);
  });

  it('packs entries of a slot of ten seconds, so that a recheck is late by less', () => {
    const entries = Array.from({ length: 120 }, (_, index) =>
      entryOf(index, { dueAtMs: T0_MS + (index % 60) * 1_000 }),
    );
    const { packs } = packsOf(entries);
    expect(packs.length).toBeGreaterThan(5);
    for (const pack of packs) {
      const rechecksMs = unpack(pack).at(-1)!.checkAtMs;
      expect(String(pack.entry)).toContain(
        new Date(rechecksMs).toISOString().slice(11, 19).replaceAll(':', ''),
      );
      for (const { checkAtMs } of unpack(pack)) expect(rechecksMs - checkAtMs).toBeLessThan(10_000);
    }
  });

  it('never mixes buckets, and leaves alone what would be alone', () => {
    const other = entryOf(1, { shard: 1 });
    const next = entryOf(2, { dueAtMs: T0_MS + 60_000 });
    expect(packsOf([entryOf(0), other, next])).toEqual({ packs: [], alone: [entryOf(0), other, next] });
  });

  it.each<[string, Entry]>([
    ['an attempt', anAttemptEntry()],
    ['a recheck', entryOf(1, { rechecks: 0 })],
    ['a catch-up', entryOf(1, { catchUp: true })],
    ['a decided rest', entryOf(1, { restDecided: true })],
  ])('gives %s a row of its own', (_, entry) => {
    const { packs, alone } = packsOf([entryOf(2), entry, entryOf(3)]);
    expect([packs.length, alone]).toEqual([1, [entry]]);
  });

  it('makes the same rows of the same entries, in any order', () => {
    const entries = many(50);
    expect(packsOf([...entries].reverse()).packs).toEqual(packsOf(entries).packs);
  });

  it('adds a row where its view differs, and never writes over one: names follow from contents', () => {
    const entries = many(200);
    const [all, fewer] = [packsOf(entries).packs, packsOf(entries.slice(1)).packs];
    const contents = new Map<string, unknown>();
    for (const { entry, pack } of [...all, ...fewer]) {
      expect(contents.get(entry as string) ?? pack).toBe(pack);
      contents.set(entry as string, pack);
    }
    // One entry more changes the pack that it is in. Those behind the next border stay.
    const differing = all.filter((row) => !fewer.some(({ entry }) => entry === row.entry));
    expect(differing).toHaveLength(1);
  });

  it('has no row of more than four write units', () => {
    const seconds = Array.from({ length: 59 }, (_, index) => (index + 1) * 1_000);
    const long = Array.from({ length: 40 }, (_, index) =>
      entryOf(index, { offsetsMs: seconds, checkAtMs: T0_MS + 59_000, throughMs: T0_MS + 59_000 }),
    );
    const { packs } = packsOf([...many(500), ...long]);
    for (const pack of packs) expect(bytesOf(pack)).toBeLessThanOrEqual(4_096);
    expect(Math.max(...packs.map(bytesOf))).toBeGreaterThan(3_500);
  });
});

describe('packedEntriesOf', () => {
  const [pack] = packsOf(many(10)).packs as [Row];

  it.each<[string, Row, number]>([
    ['of another version', { ...pack, v: 2 }, minute],
    ['of another bucket', pack, minute + 1],
    ['that is damaged', { ...pack, pack: String(pack.pack).replace('job-3', 'job-4') }, minute],
    ['that is cut off', { ...pack, pack: String(pack.pack).slice(0, -5) }, minute],
    ['whose name is none', { ...pack, entry: 'nonsense' }, minute],
    ['whose content is none', { ...pack, pack: 7 }, minute],
  ])('does not read a row %s', (_, row, ofMinute) => {
    expect(packedEntriesOf(row, ofMinute, 0)).toBeUndefined();
  });

  it('reads a sound one in the order of its times', () => {
    const times = unpack(pack).map(({ checkAtMs }) => checkAtMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(keysOf(unpack(pack))).toEqual(keysOf(many(10)));
  });
});
