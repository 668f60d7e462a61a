import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';

import { withoutSecrets } from '../debug';
import type { Io } from '../io';
import { Tail } from '../work/tail';
import { PING_VARIABLE, type PingTo } from './ping-url';

/** What is sent of the output. */
const SENT_BYTES = 10_000;
/** More than a key has: what the bound has cut of one is in these first bytes. */
const CUT_BYTES = 100;
/** For each ping of a run, so that a start which does not arrive takes nothing from the end. */
const PING_MS = 5_000;
const FIRST_PAUSE_MS = 500;
const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
/** As shells have it. */
const BY_SIGNAL = 128;
const [NOT_FOUND, NOT_STARTED] = [127, 126];

/**
 * Runs a command between a ping of its start and one of its end, with its exit code and what it wrote last.
 * The command does not get the URL. It runs whatever becomes of the pings, and its exit code is that of this
 * process.
 */
export async function runPinged(
  to: PingTo,
  [program = '', ...args]: readonly string[],
  io: Io,
): Promise<number> {
  const pinger = new Pinger(to, io);
  const started = pinger.send('start');
  const tail = new Tail(SENT_BYTES + CUT_BYTES);
  const code = await new Promise<number>((resolve) => {
    const { [PING_VARIABLE]: _, ...env } = io.env;
    const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'pipe'], env });
    const release = io.onStop((signal) => void child.kill(signal));
    for (const [stream, to] of [
      [child.stdout, io.stdout],
      [child.stderr, io.stderr],
    ] as const)
      stream.setEncoding('utf8').on('data', (text: string) => {
        tail.push(Buffer.from(text));
        to.write(text);
      });
    child.once('error', (error: NodeJS.ErrnoException) => {
      release();
      io.stderr.write(`quarterjack: ${program} cannot be started: ${error.message}\n`);
      resolve(error.code === 'ENOENT' ? NOT_FOUND : NOT_STARTED);
    });
    child.once('close', (exit, signal) => {
      release();
      resolve(exit ?? BY_SIGNAL + (signal ? constants.signals[signal] : 0));
    });
  });
  await started;
  await pinger.send(String(code), sentOf(tail));
  return code;
}

/** What may be sent of an output: it may show the URL itself, and other secrets. */
const sentOf = (tail: Tail): string => withoutSecrets(tail.text()).slice(tail.isFull ? CUT_BYTES : 0);

/** One ping without a command: the job has succeeded. */
export const pingOnce = (to: PingTo, io: Io): Promise<boolean> => new Pinger(to, io).sendOne('', {});

class Pinger {
  private readonly rid = randomUUID();

  constructor(
    private readonly to: PingTo,
    private readonly io: Io,
  ) {}

  send(signal: string, body?: string): Promise<boolean> {
    return this.sendOne(`/${signal}`, { rid: this.rid }, body);
  }

  /** False if it did not arrive; why stands on stderr. The id of the run makes a repeat harmless. */
  async sendOne(path: string, more: Record<string, string>, body?: string): Promise<boolean> {
    const query = new URLSearchParams({ ...more, ...this.to.query }).toString();
    const url = this.to.url + path + (query && `?${query}`);
    const untilMs = performance.now() + PING_MS;
    let problem = 'its five seconds are over';
    for (let pauseMs = FIRST_PAUSE_MS; performance.now() < untilMs; pauseMs *= 2) {
      const answer = await this.tried(url, body, untilMs - performance.now());
      if (answer === undefined) return true;
      problem = answer.problem;
      if (!answer.mayRetry || performance.now() + pauseMs >= untilMs) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.io.stderr.write(`quarterjack: the ping did not arrive: ${problem}\n`);
    return false;
  }

  /** Undefined: it was taken. */
  private async tried(
    url: string,
    body: string | undefined,
    withinMs: number,
  ): Promise<{ problem: string; mayRetry: boolean } | undefined> {
    try {
      const init = { method: 'POST', body: body ?? '', signal: AbortSignal.timeout(Math.ceil(withinMs)) };
      const answer = await this.io.fetch(url, init);
      const text = (await answer.text()).trim();
      if (answer.ok) return undefined;
      return { problem: `${answer.status} ${text}`, mayRetry: RETRIED.has(answer.status) };
    } catch (error) {
      return { problem: (error as Error).message, mayRetry: true };
    }
  }
}
