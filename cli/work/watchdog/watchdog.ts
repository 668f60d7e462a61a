import { type ChildProcess, spawn } from 'node:child_process';

import { CliError, ExitCode } from '../../exit-codes';
import type { GroupLimits, WatchdogMessage } from './limits';
import { READY } from './run-watchdog';

/** Name of the hidden command that is the watchdog's process. */
export const WATCHDOG_COMMAND = 'work-watchdog';

/** The worker's side of the watchdog. */
export interface Watchdog {
  /** Resolves once the watchdog will end the group at its limits, whatever becomes of this process. */
  watch(limits: GroupLimits): Promise<void>;
  forget(group: number): void;
  /** Ends it once it watches nothing any more. */
  close(): Promise<void>;
}

/** `program`: how to run this command line. `died` is called if the watchdog ends by itself. */
export async function startWatchdog(program: readonly string[], died: () => void): Promise<Watchdog> {
  const [file = '', ...args] = program;
  // In a session of its own, it gets no signal of a terminal.
  const child = spawn(file, [...args, WATCHDOG_COMMAND], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await ready(child);
  let isClosed = false;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => isClosed || died());
  child.stdin!.on('error', () => undefined); // it has ended: `exited` tells
  const send = (message: WatchdogMessage) =>
    new Promise<void>((resolve, reject) =>
      child.stdin!.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    );
  return {
    watch: (limits) => send({ watch: limits }),
    forget: (group) => void send({ forget: group }).catch(() => undefined), // it has ended, and forgets all
    async close() {
      isClosed = true;
      child.stdin!.end();
      await exited;
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (why: string) =>
      reject(new CliError(`the watchdog of the worker did not start: ${why}`, ExitCode.failed));
    let said = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(READY)) resolve();
    });
    child.once('error', ({ message }) => failed(message));
    child.once('exit', (code, signal) => failed(`exit ${code ?? signal}`));
  });
}
