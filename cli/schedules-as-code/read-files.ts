import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { CliError } from '../exit-codes';
import { type Io, readStdin } from '../io';
import { readText } from '../read-definition';
import { FileError, type FileJob, parseJobsFile } from './jobs-file';
import type { Variables } from './variables';

const JOB_FILE = /^[^.].*\.(?:ya?ml|json)$/;

/**
 * The jobs of files and directories; `-` is stdin. A directory means its files `*.yaml`, `*.yml` and
 * `*.json`, sorted by name; directories in it are left out. Throws a `FileError` with all that is wrong in
 * all files, such as a jobId that two files define.
 */
export async function readJobFiles(
  paths: readonly string[],
  io: Io,
  variables: Variables,
): Promise<FileJob[]> {
  const problems: string[] = [];
  const jobs: FileJob[] = [];
  const files = new Set(paths.flatMap(filesIn));
  for (const path of files) {
    const text = path === '-' ? await readStdin(io) : readText(path);
    try {
      jobs.push(...parseJobsFile(text, path === '-' ? 'stdin' : path, variables));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(...error.problems);
    }
  }
  problems.push(...duplicates(jobs));
  if (problems.length > 0) throw new FileError(problems);
  return jobs;
}

function filesIn(path: string): string[] {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const names = readdirSync(path).filter((name) => JOB_FILE.test(name));
  if (names.length === 0)
    throw new CliError(`${path}: the directory has no file that ends in .yaml, .yml or .json`);
  return names.sort().map((name) => join(path, name));
}

function duplicates(jobs: readonly FileJob[]): string[] {
  const seen = new Map<string, FileJob>();
  return jobs.flatMap((job) => {
    const first = seen.get(job.jobId);
    if (!first) seen.set(job.jobId, job);
    return first ? [`${job.where()}: ${job.jobId}: is already defined at ${first.where()}`] : [];
  });
}
