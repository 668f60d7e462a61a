import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Decision } from '../../../local/iam/access';
import type { HostAnswer, HostCommand, HostStartOptions, Started, TimedRowWrite } from './host-protocol';

type Unnumbered<Command> = Command extends unknown ? Omit<Command, 'id'> : never;

/** A local run in a process of its own, so that a test can also end it without warning. */
export class Host {
  /** What the run wrote to stderr. */
  errors = '';
  private lastId = 0;

  private started: Started | undefined;

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  static async start(options: HostStartOptions): Promise<Host> {
    const child = fork(join(__dirname, 'host-process.ts'), {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const host = new Host(child);
    await once(child, 'message');
    try {
      host.started = (await host.ask({ kind: 'start', options })) as Started;
      return host;
    } catch (error) {
      child.disconnect();
      throw error;
    }
  }

  get run(): Started {
    if (!this.started) throw new Error('the host has not started');
    return this.started;
  }

  /** Of the HTTP API. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.run.url}${path}`, init);
  }

  async killWorker(functionLogicalId: string): Promise<boolean> {
    return (await this.ask({ kind: 'killWorker', functionLogicalId })) as boolean;
  }

  /** See `LocalRun.decisions`; without the first `from` of them. */
  async decisions(from = 0): Promise<Decision[]> {
    return (await this.ask({ kind: 'decisions', from })) as Decision[];
  }

  /** All that was written to the tables so far, in their order. Needs `keepsRowWrites`. */
  async rowWrites(): Promise<TimedRowWrite[]> {
    return (await this.ask({ kind: 'rowWrites' })) as TimedRowWrite[];
  }

  /** Ends the run in order. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    await this.ask({ kind: 'stop' });
    this.child.disconnect();
    await once(this.child, 'exit');
  }

  /** Ends the process as `kill -9` does. */
  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private ask(command: Unnumbered<HostCommand>): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void): void => {
        this.child.off('message', onMessage);
        this.child.off('exit', onExit);
        settled();
      };
      const onMessage = (answer: HostAnswer): void => {
        if (answer.id !== id) return;
        const { error } = answer;
        settle(() => (error === undefined ? resolve(answer.value) : reject(new Error(error))));
      };
      const onExit = (): void => settle(() => reject(new Error(`the host has ended: ${this.errors}`)));
      this.child.on('message', onMessage);
      this.child.on('exit', onExit);
      this.child.send({ ...command, id });
    });
  }
}
