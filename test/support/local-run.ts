import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

import { ISSUER_DIR } from '../../local/machine/paths';
import { openIssuer, type TokenRequest } from '../../local/issuer/issuer';
import { V8_FLAGS_OF_RUNS } from './v8-flags.cjs';

const CHECKOUT_DIR = resolve(__dirname, '../..');
const READY = /Quarterjack listens on (\S+)[^]*sign-in code (\w+)/;

export interface RunningSystem {
  url: string;
  pid: number;
  /** What the sign-in page asks for. */
  signInCode: string;
  /** A token for a user, valid for an hour. */
  token(user: string, scope?: string, more?: Pick<TokenRequest, 'groups' | 'claims'>): Promise<string>;
  /** The calls of functions that were denied, one line each. */
  denials(): string[];
  /** What it has printed so far. */
  output(): string[];
  /** Sends a signal and waits until the process has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Less than a test may take: Jest does not end while a run that no test knows is alive. */
const STARTS_WITHIN_MS = 270_000;

/** Runs `npm start` with these flags in its own process. Resolves when it listens. */
export async function startSystem(...flags: string[]): Promise<RunningSystem> {
  const child = spawn(
    process.execPath,
    [...V8_FLAGS_OF_RUNS, join(CHECKOUT_DIR, 'local/main.cjs'), ...flags],
    {
      cwd: CHECKOUT_DIR,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const denials: string[] = [];
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer | string) => output.push(String(chunk)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    denials.push(...text.split('\n').filter((line) => line.startsWith('AccessDenied: ')));
  });
  const { url, signInCode } = await listening(child);
  const issuer = await openIssuer(ISSUER_DIR);
  return {
    url,
    signInCode,
    pid: child.pid!,
    denials: () => denials,
    output: () => output,
    token: (user, scope = 'jobs:read jobs:write', more = {}) =>
      issuer.token({ ...more, user, scope, ttlSec: 3_600, nowMs: Date.now() }),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      child.kill(signal);
      await ended;
    },
  };
}

const listening = (child: ChildProcess): Promise<{ url: string; signInCode: string }> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill(), STARTS_WITHIN_MS);
    let output = '';
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      const [, url, signInCode] = READY.exec(output) ?? [];
      if (!url || !signInCode) return;
      clearTimeout(timer);
      resolve({ url, signInCode });
    };
    child.stdout!.on('data', onData);
    child.stderr!.on('data', onData);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the system exited with ${code}:\n${output}`));
    });
  });
