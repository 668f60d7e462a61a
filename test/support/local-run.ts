import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

import { ISSUER_DIR } from '../../local/machine/paths';
import { openIssuer } from '../../local/issuer/issuer';

const CHECKOUT_DIR = resolve(__dirname, '../..');
const READY = /Quarterjack listens on (\S+)/;

export interface RunningSystem {
  url: string;
  pid: number;
  /** A token of this checkout for a user, good for an hour. */
  token(user: string, scope?: string): Promise<string>;
  /** What the run refused its own functions for want of a permission, one line each. */
  refusals(): string[];
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** `npm start` with the given flags, as a process of its own; resolves once it says that it listens. */
export async function startSystem(...flags: string[]): Promise<RunningSystem> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(CHECKOUT_DIR, 'local/cli.ts'), ...flags], {
    cwd: CHECKOUT_DIR,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const refusals: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    refusals.push(...text.split('\n').filter((line) => line.startsWith('AccessDenied: ')));
  });
  const url = await listening(child);
  const issuer = await openIssuer(ISSUER_DIR);
  return {
    url,
    pid: child.pid!,
    refusals: () => refusals,
    token: (user, scope = 'jobs:read jobs:write') =>
      issuer.token({ user, scope, ttlSec: 3_600, nowMs: Date.now() }),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      child.kill(signal);
      await ended;
    },
  };
}

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((done, fail) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = READY.exec(said) ?? [];
      if (url) done(url);
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('exit', (code) => fail(new Error(`the system ended with ${code}:\n${said}`)));
  });
