import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { CHECKOUT_DIR } from '../../support/code-project';

interface Connection {
  url: string;
  consoleUrl: string;
  token: string;
  secret: string;
  target: { type: 'http'; url: string };
}

/** `quarterjack dev MODULE` in the folder of a project. */
export class DevRun {
  private text = '';
  private readonly child: ChildProcess;
  /** Settles when no process has its stderr any more: what it has started inherits that. */
  private readonly closed: Promise<unknown>;
  /** Its first line. */
  readonly connection: Promise<Connection>;

  constructor(dir: string, flags: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(
      process.execPath,
      [join(CHECKOUT_DIR, 'cli/bin.cjs'), 'dev', ...flags, '--port', '0', '--json'],
      {
        cwd: dir,
        env: { PATH: process.env.PATH, HOME: dir, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.closed = once(this.child, 'close');
    this.child.stderr!.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    this.connection = Promise.race([
      once(createInterface(this.child.stdout!), 'line').then(([line]) => JSON.parse(line as string)),
      this.closed.then(() => Promise.reject(new Error(`dev ended:\n${this.text}`))),
    ]) as Promise<Connection>;
    this.connection.catch(() => undefined); // tests that wait for it get the error
  }

  /** Waits until it has said something that it had not said at the last call. */
  async says(what: string | RegExp): Promise<string> {
    for (;;) {
      const at = this.text.search(what);
      if (at >= 0) {
        const end = this.text.indexOf('\n', at);
        const line = this.text.slice(at, end < 0 ? undefined : end);
        this.text = this.text.slice(end < 0 ? this.text.length : end);
        return line;
      }
      const more = once(this.child.stderr!, 'data');
      const ended = this.closed.then(() => Promise.reject(new Error(`dev ended:\n${this.text}`)));
      await Promise.race([more, ended]);
    }
  }

  /** The answer of the API. */
  async api(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<any> {
    const { url, token } = await this.connection;
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  /** Sends a signal. Resolves to the exit code once no process of it is left. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    await this.closed;
    return this.child.exitCode;
  }
}

/** What the process that serves a module says first. It ends with its stdin. */
export async function loadedBy(
  dir: string,
  file: string,
  reader: string,
): Promise<{ jobs?: unknown[]; error?: string; files: string[] }> {
  const child = spawn(
    process.execPath,
    [join(CHECKOUT_DIR, 'cli/bin.cjs'), 'serve-jobs', join(dir, file), reader],
    {
      cwd: dir,
      env: { PATH: process.env.PATH, QUARTERJACK_SECRET: 'whsec_c2VjcmV0' },
      stdio: ['pipe', 'inherit', 'inherit', 'ignore', 'pipe'],
    },
  );
  const [line] = (await once(createInterface(child.stdio[4] as Readable), 'line')) as [string];
  child.stdin!.end();
  await once(child, 'exit');
  return JSON.parse(line) as Awaited<ReturnType<typeof loadedBy>>;
}
