import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, extname, join } from 'node:path';

import { CliError } from '../../exit-codes';

/** An editor writes a file in several steps. */
const SETTLED_MS = 100;
const SOURCE = /^\.(?:[cm]?[jt]sx?|json)$/;

/** Tells that a file of a program has changed. Folders are watched: editors replace files. */
export class SourceWatch {
  private readonly folders = new Map<string, FSWatcher>();
  private files = new Set<string>();
  private takesAny = false;
  private timer: NodeJS.Timeout | undefined;
  private waiting: (() => void)[] = [];

  /** Resolves after the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /**
   * Watches these files alone; with `takesAny` all sources beside them, because the one that is missing is
   * not known. A file that was written after `sinceMs` counts as changed.
   */
  watch(files: readonly string[], { sinceMs, takesAny }: { sinceMs: number; takesAny: boolean }): void {
    this.files = new Set();
    this.takesAny = takesAny;
    this.add(files, sinceMs);
    const needed = new Set(files.map((file) => dirname(file)));
    for (const [folder, watcher] of this.folders)
      if (!needed.has(folder)) {
        watcher.close();
        this.folders.delete(folder);
      }
  }

  add(files: readonly string[], sinceMs = Infinity): void {
    for (const file of files) {
      this.files.add(file);
      this.watchFolder(dirname(file));
      if (modifiedAtMs(file) > sinceMs) this.changed();
    }
  }

  close(): void {
    clearTimeout(this.timer);
    for (const watcher of this.folders.values()) watcher.close();
    this.folders.clear();
  }

  private watchFolder(folder: string): void {
    if (this.folders.has(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null && this.isWatched(join(folder, name))) this.changed();
      });
      watcher.on('error', () => this.folders.delete(folder)); // the folder is gone
      this.folders.set(folder, watcher);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // The folder is gone, and so is the file.
      if (code !== 'ENOENT') throw new CliError(`${folder} cannot be watched: ${message}`);
    }
  }

  private isWatched(file: string): boolean {
    return this.files.has(file) || (this.takesAny && SOURCE.test(extname(file)));
  }

  private changed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const waiting = this.waiting;
      this.waiting = [];
      for (const resolve of waiting) resolve();
    }, SETTLED_MS);
  }
}

function modifiedAtMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
