import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { Start } from './languages';

type Message = Record<string, any>;

/** For what never comes. A busy machine needs ten times as long as an idle one. */
const DEADLINE_MS = 120_000;
const SHOWN_CHARACTERS = 4_000;

/** The error that an SDK gave, with the fields of the protocol. */
export class SdkError extends Error {
  readonly kind: string = '';

  constructor(fields: Message) {
    super(`${fields.kind}: ${fields.message}`);
    Object.assign(this, fields, { message: this.message });
  }
}

/** The driver of one SDK: a process that does what commands say. See `test/sdk/README.md`. */
export class Driver {
  /** All events so far. */
  readonly events: Message[] = [];
  private readonly child: ChildProcess;
  private readonly open = new Map<number, { done(value: unknown): void; fail(error: Error): void }>();
  private readonly watchers = new Set<() => void>();
  private readonly exited: Promise<unknown>;
  private count = 0;
  private said = '';

  constructor({ command, args, env }: Start, more: Readonly<Record<string, string>> = {}) {
    this.child = spawn(command, args, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...env, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.exited = once(this.child, 'exit').then(() => this.end());
    this.child.stderr!.on(
      'data',
      (chunk: Buffer) => (this.said = (this.said + chunk).slice(-SHOWN_CHARACTERS)),
    );
    this.child.stdin!.on('error', () => undefined); // a process that was killed takes no commands
    createInterface(this.child.stdout!).on('line', (line) => this.read(line));
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends a command, and resolves to its answer. Rejects with an `SdkError`. */
  do(command: Message): Promise<any> {
    const n = ++this.count;
    const answered = new Promise((done, fail) => this.open.set(n, { done, fail }));
    this.child.stdin!.write(`${JSON.stringify({ n, ...command })}\n`);
    return this.within(answered, `an answer to ${JSON.stringify(command).slice(0, 500)}`);
  }

  /** Resolves to the events that have these fields, once there are `count` of them. */
  async see(fields: Message, count: number): Promise<Message[]> {
    const matching = () => this.events.filter((event) => hasFields(event, fields));
    let watcher: (() => void) | undefined;
    const seen = new Promise<void>((done) => {
      watcher = () => matching().length >= count && done();
      this.watchers.add(watcher);
      watcher();
    });
    try {
      await this.within(seen, `${count} events ${JSON.stringify(fields)}`);
    } finally {
      this.watchers.delete(watcher!);
    }
    return matching();
  }

  /** The first event that has these fields. */
  async sees(fields: Message): Promise<Message> {
    return (await this.see(fields, 1))[0]!;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends the process as a user does: resolves to its exit code. */
  async close(): Promise<number | null> {
    this.child.stdin!.end();
    await this.within(this.exited, 'the end of the driver');
    return this.child.exitCode;
  }

  /** Waits for the end of the process. */
  async ended(): Promise<number | null> {
    await this.within(this.exited, 'the end of the driver');
    return this.child.exitCode;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private read(line: string): void {
    const { n, ...message } = JSON.parse(line) as Message;
    if (n === undefined) {
      this.events.push(message);
      for (const watcher of [...this.watchers]) watcher();
      return;
    }
    const waiting = this.open.get(n);
    this.open.delete(n);
    if ('error' in message) waiting?.fail(new SdkError(message.error));
    else waiting?.done(message.ok);
  }

  private end(): void {
    const { exitCode, signalCode } = this.child;
    for (const { fail } of this.open.values())
      fail(new Error(`the driver ended with ${exitCode ?? signalCode}: ${this.said}`));
  }

  private async within<T>(what: Promise<T>, name: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(new Error(this.explain(name))), DEADLINE_MS);
    });
    try {
      return await Promise.race([what, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private explain(name: string): string {
    const last = this.events.slice(-10).map((event) => JSON.stringify(event));
    return `not within ${DEADLINE_MS / 1_000} s: ${name}\nevents: ${last.join('\n')}\nstderr: ${this.said}`;
  }
}

const hasFields = (event: Message, fields: Message): boolean =>
  Object.entries(fields).every(([name, value]) => event[name] === value);
