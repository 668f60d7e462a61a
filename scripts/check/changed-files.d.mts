/** Path → hash of its content. */
export type Hashes = Readonly<Record<string, string>>;

export function hashFiles(paths?: readonly string[]): Hashes;
export function readHashes(file: string): Hashes | undefined;
export function writeHashes(file: string, hashes: Hashes): void;
export function lintedFor(before: Hashes | undefined, now: Hashes): 'all' | string[];
export function pageReaders(paths: readonly string[]): string[];
export function testsFor(
  before: Hashes | undefined,
  now: Hashes,
  findPageReaders: (paths: readonly string[]) => string[],
): 'all' | string[];
