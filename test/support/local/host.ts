import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import type { Decision } from '../../../local/iam/access';
import { programFile } from '../../../local/machine/program.cjs';
import { V8_FLAGS_OF_RUNS } from '../v8-flags.cjs';
import type {
  Death,
  HostReply,
  HostCommand,
  HostStartOptions,
  Started,
  TimedRowWrite,
} from './host-protocol';

type Unnumbered<Command> = Command extends unknown ? Omit<Command, 'id'> : never;

/** A local run in its own process, so that a test can also kill it. */
export class Host {
  /** The stderr output of the run. */
  errors = '';
  private lastId = 0;

  private started: Started | undefined;

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  static async start(options: HostStartOptions): Promise<Host> {
    const child = fork(await programFile('test/support/local/host-process.ts'), {
      execArgv: [...V8_FLAGS_OF_RUNS],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const host = new Host(child);
    await once(child, 'message');
    try {
      host.started = (await host.send({ kind: 'start', options })) as Started;
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

  /** Sends a request to the HTTP API. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.run.url}${path}`, init);
  }

  async killWorker(functionLogicalId: string): Promise<boolean> {
    return (await this.send({ kind: 'killWorker', functionLogicalId })) as boolean;
  }

  /** See `LocalRun.decisions`; skips the first `from`. */
  async decisions(from = 0): Promise<Decision[]> {
    return (await this.send({ kind: 'decisions', from })) as Decision[];
  }

  /** All writes to the tables so far, in order. Requires `keepsRowWrites`. */
  async rowWrites(): Promise<TimedRowWrite[]> {
    return (await this.send({ kind: 'rowWrites' })) as TimedRowWrite[];
  }

  /**
   * From now on each sync of the journal takes so long. The host kills itself at that of its writes, counted
   * from 1.
   */
  async dieAtWrite(write: number, how: Death, syncMs: number): Promise<void> {
    await this.send({ kind: 'dieAtWrite', write, how, syncMs });
  }

  /** Resolves when the host has ended by itself. */
  async death(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  /** Stops the run in order. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    await this.send({ kind: 'stop' });
    this.child.disconnect();
    await once(this.child, 'exit');
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  private send(command: Unnumbered<HostCommand>): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void): void => {
        this.child.off('message', onMessage);
        this.child.off('exit', onExit);
        settled();
      };
      const onMessage = (reply: HostReply): void => {
        if (reply.id !== id) return;
        const { error } = reply;
        settle(() => (error === undefined ? resolve(reply.value) : reject(new Error(error))));
      };
      const onExit = (): void => settle(() => reject(new Error(`the host has exited: ${this.errors}`)));
      this.child.on('message', onMessage);
      this.child.on('exit', onExit);
      this.child.send({ ...command, id });
    });
  }
}
