import { lookup } from 'node:dns/promises';
import { createInterface } from 'node:readline/promises';

import type { ConnectionOptions } from '../client';
import { openBrowser } from './sign-in/open-browser';

/** A stream to write text to. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Everything that a command uses outside the API. Tests replace it. */
export interface Io {
  stdout: Output;
  stderr: Output;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  env: Record<string, string | undefined>;
  nowMs(): number;
  cwd(): string;
  /** Calls `act` at the next Ctrl-C, instead of ending the process. Returns what takes it back. */
  onInterrupt(act: () => void): () => void;
  /** Calls `act` at each signal that asks the process to end. Returns what takes it back. */
  onStop(act: (signal: StopSignal) => void): () => void;
  /** How to run this command line as another process: a program and its first arguments. */
  program: readonly string[];
  /** A line that the user types after the question. Never settles if the signal aborts first. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** Calls of a sign-in, which do not go to the API. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Opens a URL in the user's browser. False if that is not possible. */
  openBrowser(url: string): Promise<boolean>;
  /** False if names of hosts can be looked up, and this one has no address. */
  hasAddress(host: string): Promise<boolean>;
  /** Options for the client. Tests replace the network by them. */
  connection?: Pick<ConnectionOptions, 'retry' | 'surroundings'>;
}

export type StopSignal = (typeof STOP_SIGNALS)[number];
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const processIo = (): Io => ({
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  nowMs: Date.now,
  cwd: () => process.cwd(),
  ask,
  fetch: (url, init) => fetch(url, init),
  openBrowser,
  hasAddress,
  program: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  onStop: (act) => {
    for (const signal of STOP_SIGNALS) process.on(signal, act);
    return () => {
      for (const signal of STOP_SIGNALS) process.off(signal, act);
    };
  },
  onInterrupt: (act) => {
    process.once('SIGINT', act);
    return () => process.off('SIGINT', act);
  },
});

async function hasAddress(host: string): Promise<boolean> {
  try {
    await lookup(host);
    return true;
  } catch (error) {
    // Whatever else fails tells of this machine, and not of the host.
    return (error as NodeJS.ErrnoException).code !== 'ENOTFOUND';
  }
}

async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) return new Promise(() => undefined);
    throw error;
  } finally {
    terminal.close();
  }
}

export async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
