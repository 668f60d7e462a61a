import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { resolve } from 'node:path';

import type { ReadModule } from '../../client/jobs-in-code/manifest-job';
import { CliError } from '../exit-codes';
import type { Io } from '../io';
import { readerOf } from './reading';

/** Name of the hidden command that reads a module of jobs. */
export const READ_COMMAND = 'read-jobs';

/** What the process that reads a module writes to its fourth stream. */
export type ReadMessage = ReadModule | { error: string };

const MAX_BYTES = 1_048_576;
const TIMEOUT_MS = 20_000;
const SHOWN_LINES = 20;

/**
 * The jobs that a module exports, read by a process of their own. It has nothing of the environment but
 * `PATH` and what `env` has, so no credentials. It is no sandbox beyond that. Throws a `CliError`.
 */
export async function readJobs(
  module: string,
  env: Readonly<Record<string, string>>,
  { program, cwd, env: own }: Pick<Io, 'program' | 'cwd' | 'env'>,
): Promise<ReadModule> {
  const path = moduleAt(module, cwd());
  const reader = readerOf(path);
  const [node = '', ...args] = program;
  const child = spawn(node, [...args, READ_COMMAND, path, reader], {
    cwd: cwd(),
    env: { PATH: own.PATH, TZ: 'UTC', QUARTERJACK_DEFINE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, TIMEOUT_MS);
  const said = lastLines(child.stdout!, child.stderr!);
  const text = textOf(child.stdio[3] as Readable, kill);
  await new Promise<void>((done, reject) => {
    child.once('error', reject);
    child.once('close', () => done());
  }).finally(() => clearTimeout(timer));
  return jobsIn(await text, isLate ? `it did not end within ${TIMEOUT_MS / 1_000} s` : undefined, path, said);
}

/** The absolute path of a module. Throws a `CliError` if there is none. */
export function moduleAt(module: string, cwd: string): string {
  const path = resolve(cwd, module);
  if (!existsSync(path)) throw new CliError(`${module}: there is no such file`);
  return path;
}

function jobsIn(text: string | undefined, late: string | undefined, path: string, said: () => string) {
  if (text === undefined) throw new CliError(`${path}: its definitions have more than ${MAX_BYTES} bytes`);
  let message: ReadMessage | undefined;
  try {
    message = JSON.parse(text) as ReadMessage;
  } catch {
    throw new CliError(`${path}: ${late ?? 'it ended before it was read'}${said()}`);
  }
  if ('error' in message) throw new CliError(message.error);
  return message;
}

/** Undefined if there is too much; then `stop` is called. */
async function textOf(stream: Readable, stop: () => void): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      stop();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The end of what a process writes, as lines below a message. */
function lastLines(...streams: Readable[]): () => string {
  let text = '';
  for (const stream of streams)
    stream.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-MAX_BYTES / 64)));
  return () => {
    const lines = text.trimEnd().split('\n').slice(-SHOWN_LINES);
    return text.trim() === '' ? '' : `\n${lines.join('\n')}`;
  };
}
