import { constants, writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A file that is open for writing. Positions and lengths are in bytes. */
export interface OpenFile {
  /** Writes all of the bytes. */
  write(bytes: Buffer, position: number): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Resolves when the content and the length are on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** One folder. Tests put a simulated disk in its place. All methods reject with the error of the system. */
export interface Files {
  /** Path, for messages. */
  readonly folder: string;
  /** Creates the folder if it is missing. */
  makeFolder(): Promise<void>;
  /** Names of its files. */
  list(): Promise<string[]>;
  /** A file's bytes from a position on. A chunk is valid until the next one is requested. */
  read(name: string, from?: number): AsyncIterable<Buffer>;
  /** Rejects if the file exists. */
  create(name: string): Promise<OpenFile>;
  open(name: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when the names of all files are on disk as they are now. */
  sync(): Promise<void>;
}

const CHUNK_BYTES = 1_048_576;
/** Windows keeps no names back, and cannot open a folder. */
const SYNCS_FOLDERS = process.platform !== 'win32';

/** The files of a folder on disk. */
export function filesIn(folder: string): Files {
  const path = resolve(folder);
  const pathOf = (name: string): string => join(path, name);
  return {
    folder: path,
    makeFolder: () => makeFolder(path),
    list: () => readdir(path),
    read: (name, from = 0) => readChunks(pathOf(name), from),
    create: async (name) => openFile(await open(pathOf(name), 'wx')),
    open: async (name) => openFile(await open(pathOf(name), 'r+')),
    rename: (from, to) => rename(pathOf(from), pathOf(to)),
    remove: (name) => rm(pathOf(name)),
    sync: () => syncFolder(path),
  };
}

async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  // Each new folder is a name in the folder above it.
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(path: string): Promise<void> {
  if (!SYNCS_FOLDERS) return;
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* readChunks(path: string, from: number): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let position = from; ;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const openFile = (handle: FileHandle): OpenFile => ({
  async write(bytes, position) {
    for (let written = 0; written < bytes.length;) {
      // Into the system's memory, which takes less time than another thread to do it.
      written += writeSync(handle.fd, bytes, written, bytes.length - written, position + written);
    }
  },
  truncate: (length) => handle.truncate(length),
  sync: () => handle.datasync(),
  close: () => handle.close(),
});
