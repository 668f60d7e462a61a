import type { Files, OpenFile } from '../../../local/services/dynamodb/journal/files';
import type { FakeRandom } from '../fake-random';

const SECTOR_BYTES = 512;

/** What a crash leaves of the writes and names that were not synced: a random part, all, or nothing. */
export type Luck = FakeRandom | 'all kept' | 'all lost';

export type OperationKind =
  | 'create'
  | 'open'
  | 'write'
  | 'truncate'
  | 'sync'
  | 'rename'
  | 'remove'
  | 'sync names';

interface DiskFile {
  /** What processes read: it is in memory, and survives their death. */
  cached: Buffer;
  /** First the content that is on disk. Each later one has one more write, not synced yet. */
  versions: Buffer[];
}

type NameChange =
  | { kind: 'create'; name: string; file: number }
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'remove'; name: string };

/**
 * A folder on a disk that keeps what was synced, and no more. A crash keeps any sectors and any names of the
 * rest. So writes are kept in another order, or in part, and files have zeros where they have grown.
 */
export class SimulatedDisk {
  /** Called around each operation that changes something, and gets its number, from 0. */
  onOperation: (kind: OperationKind, name: string, number: number) => void = () => undefined;
  /** The number of the one operation that fails. */
  failsAt: number | undefined;
  /** The failures so far. */
  failures = 0;
  operations = 0;
  /** Awaited before and after each operation. */
  latency: (kind: OperationKind, name: string) => Promise<void> = () => Promise.resolve();

  private contents = new Map<number, DiskFile>();
  /** As processes see them. */
  private names = new Map<string, number>();
  private syncedNames = new Map<string, number>();
  private nameChanges: NameChange[] = [];

  constructor(private readonly random: FakeRandom) {}

  /** This disk after the death of all processes. */
  afterKill(): SimulatedDisk {
    const disk = new SimulatedDisk(this.random);
    for (const [id, { cached, versions }] of this.contents)
      disk.contents.set(id, { cached, versions: [...versions] });
    disk.names = new Map(this.names);
    disk.syncedNames = new Map(this.syncedNames);
    disk.nameChanges = [...this.nameChanges];
    return disk;
  }

  /** The disk after a loss of power. */
  afterCrash(luck: Luck): SimulatedDisk {
    const disk = new SimulatedDisk(this.random);
    for (const [id, { versions }] of this.contents) {
      const left = survivor(versions, luck);
      disk.contents.set(id, { cached: left, versions: [left] });
    }
    const kept = this.nameChanges.filter(() =>
      typeof luck === 'string' ? luck === 'all kept' : luck.fraction() < 0.5,
    );
    disk.syncedNames = new Map(this.syncedNames);
    for (const change of kept) applyTo(disk.syncedNames, change);
    disk.names = new Map(disk.syncedNames);
    return disk;
  }

  /** Its content as processes read it. Undefined if it is missing. */
  content(name: string): Buffer | undefined {
    return this.contents.get(this.names.get(name) ?? -1)?.cached;
  }

  /** Puts a file there, synced. */
  put(name: string, content: Buffer): void {
    const id = this.contents.size;
    this.contents.set(id, { cached: content, versions: [content] });
    this.names.set(name, id);
    this.syncedNames.set(name, id);
  }

  list(): string[] {
    return [...this.names.keys()].sort();
  }

  readonly files: Files = {
    folder: '/disk',
    makeFolder: () => Promise.resolve(),
    list: () => Promise.resolve(this.list()),
    read: (name, from = 0) => this.read(name, from),
    create: async (name) => {
      await this.operate('create', name, () => {
        const id = this.contents.size;
        if (this.names.has(name)) throw new Error(`EEXIST: ${name}`);
        this.contents.set(id, { cached: Buffer.alloc(0), versions: [Buffer.alloc(0)] });
        this.changeNames({ kind: 'create', name, file: id });
      });
      return this.openFile(name, this.file(name));
    },
    open: (name) => Promise.resolve(this.openFile(name, this.file(name))),
    rename: (from, to) => this.operate('rename', from, () => this.changeNames({ kind: 'rename', from, to })),
    remove: (name) =>
      this.operate('remove', name, () => {
        this.file(name);
        this.changeNames({ kind: 'remove', name });
      }),
    sync: () =>
      this.operate('sync names', '', () => {
        this.syncedNames = new Map(this.names);
        this.nameChanges = [];
      }),
  };

  private file(name: string): DiskFile {
    const file = this.contents.get(this.names.get(name) ?? -1);
    if (!file) throw new Error(`ENOENT: ${name}`);
    return file;
  }

  private changeNames(change: NameChange): void {
    applyTo(this.names, change);
    this.nameChanges.push(change);
  }

  private async *read(name: string, from: number): AsyncGenerator<Buffer> {
    const { cached } = this.file(name);
    const CHUNK = 700; // records and chunks end at different bytes
    await Promise.resolve();
    for (let at = from; at < cached.length; at += CHUNK) yield cached.subarray(at, at + CHUNK);
  }

  private openFile(name: string, file: DiskFile): OpenFile {
    const change = (to: (content: Buffer) => Buffer): void => {
      file.cached = to(file.cached);
      file.versions.push(to(file.versions.at(-1)!));
    };
    return {
      write: (bytes, position) =>
        this.operate(
          'write',
          name,
          () => change((content) => overwritten(content, bytes, position)),
          () => {
            const written = bytes.subarray(0, this.random.between(0, bytes.length - 1));
            change((content) => overwritten(content, written, position));
          },
        ),
      truncate: (length) =>
        this.operate('truncate', name, () => change((content) => content.subarray(0, length))),
      sync: () =>
        this.operate(
          'sync',
          name,
          () => (file.versions = [file.versions.at(-1)!]),
          // The system counts the pages as written from then on, and has written some of them.
          () => (file.versions = [survivor(file.versions, this.random)]),
        ),
      close: () => Promise.resolve(),
    };
  }

  private async operate(
    kind: OperationKind,
    name: string,
    act: () => void,
    actInPart: () => void = () => undefined,
  ): Promise<void> {
    await this.latency(kind, name);
    const number = this.operations++;
    this.onOperation(kind, name, number);
    const fails = number === this.failsAt;
    if (fails) actInPart();
    else act();
    this.onOperation(kind, name, number);
    await this.latency(kind, name);
    if (!fails) return;
    this.failures += 1;
    throw new Error(kind === 'write' ? 'ENOSPC: no space left on device' : `EIO: i/o error, ${kind}`);
  }
}

function applyTo(names: Map<string, number>, change: NameChange): void {
  if (change.kind === 'create') return void names.set(change.name, change.file);
  if (change.kind === 'remove') return void names.delete(change.name);
  const file = names.get(change.from);
  if (file === undefined) return; // its creation was lost
  names.delete(change.from);
  names.set(change.to, file);
}

function overwritten(content: Buffer, bytes: Buffer, position: number): Buffer {
  const result = Buffer.alloc(Math.max(content.length, position + bytes.length));
  content.copy(result);
  bytes.copy(result, position);
  return result;
}

/** Each sector, and the length, is that of any version. */
function survivor(versions: Buffer[], luck: Luck): Buffer {
  if (luck === 'all kept') return versions.at(-1)!;
  if (luck === 'all lost' || versions.length === 1) return versions[0]!;
  const result = Buffer.alloc(luck.pick(versions).length);
  for (let at = 0; at < result.length; at += SECTOR_BYTES)
    luck
      .pick(versions)
      .subarray(at, at + SECTOR_BYTES)
      .copy(result, at);
  return result;
}
