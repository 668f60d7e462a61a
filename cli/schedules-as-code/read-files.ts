import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { CliError } from '../exit-codes';
import { foreignFile } from '../foreign-file';
import { type Io, readStdin } from '../io';
import { readText } from '../read-definition';
import type { FileNotification } from './notification-plan';
import {
  checked,
  type FileCalendar,
  type FileContent,
  FileError,
  type FileJob,
  parseFile,
  problemsOf,
} from './jobs-file';
import type { Variables } from './variables';

const JOB_FILE = /^[^.].*\.(?:ya?ml|json)$/;

/**
 * The jobs, calendars and notifications of files and directories; `-` is stdin. A directory means its files
 * `*.yaml`, `*.yml` and `*.json`, sorted by name; directories in it are left out. The
 * problems are those of all files, such as a jobId that two files define. Throws a `FileError` if a file
 * cannot be read as YAML.
 */
export async function readJobFiles(
  paths: readonly string[],
  io: Io,
  variables: Variables,
): Promise<FileContent> {
  const problems: string[] = [];
  const jobs: FileJob[] = [];
  const calendars: FileCalendar[] = [];
  const notifications: FileNotification[] = [];
  let isUnreadable = false;
  const files = new Set(paths.flatMap(filesIn));
  for (const path of files) {
    const text = path === '-' ? await readStdin(io) : readText(path);
    try {
      const content = contentOf(text, path === '-' ? 'stdin' : path, variables);
      jobs.push(...content.jobs);
      calendars.push(...content.calendars);
      notifications.push(...(content.notifications ?? []));
      problems.push(...(content.problems ?? []));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(...error.problems);
      isUnreadable = true;
    }
  }
  problems.push(...duplicates(jobs, ({ jobId }) => jobId));
  problems.push(...duplicates(calendars, ({ calendarId }) => calendarId));
  problems.push(...duplicates(notifications, ({ id }) => id));
  const content = { calendars, notifications, jobs, problems };
  return isUnreadable ? checked(content) : content;
}

/** What a file defines. Throws a `FileError`: for a file of another system, it says so and nothing else. */
function contentOf(text: string, path: string, variables: Variables): FileContent {
  const found = parsed(text, path, variables);
  const isWrong = found instanceof FileError || problemsOf(found).length > 0;
  const foreign = isWrong ? foreignFile(text, path, 'jobs') : undefined;
  if (foreign !== undefined) throw new FileError([foreign]);
  if (found instanceof FileError) throw found;
  return found;
}

function parsed(text: string, path: string, variables: Variables): FileContent | FileError {
  try {
    return parseFile(text, path, variables);
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

/** A file, or the files of a directory; `-` is stdin. Throws a `CliError` for a directory without any. */
export function filesIn(path: string): string[] {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const names = readdirSync(path).filter((name) => JOB_FILE.test(name));
  if (names.length === 0)
    throw new CliError(`${path}: the directory has no file that ends in .yaml, .yml or .json`);
  return names.sort().map((name) => join(path, name));
}

function duplicates<One extends { where(): string }>(
  all: readonly One[],
  idOf: (one: One) => string,
): string[] {
  const seen = new Map<string, One>();
  return all.flatMap((one) => {
    const first = seen.get(idOf(one));
    if (!first) seen.set(idOf(one), one);
    return first ? [`${one.where()}: ${idOf(one)}: is already defined at ${first.where()}`] : [];
  });
}
