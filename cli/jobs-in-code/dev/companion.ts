import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

import { later, type Moment } from '../../../client/worker';
import { CliError, ExitCode } from '../../exit-codes';
import { machineNow } from '../../work/clock';
import type { ExitStatus } from '../../work/exit-outcome';
import { groupEnded, signalGroup, terminateGroup } from '../../work/process-group';
import { GATE } from '../../work/start-command';
import type { GroupLimits } from '../../work/watchdog/limits';
import type { Watchdog } from '../../work/watchdog/watchdog';
import { MESSAGES } from './messages';

interface CompanionPlan {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** Where its stdout goes: to a stream of this process, or to `stdout` of what is returned. */
  stdout: 1 | 2 | 'pipe';
  /** How long it has from SIGTERM on, also if this process has died. */
  graceMs: number;
}

/** A process that lives no longer than this one. It leads a group of its own, which gets no Ctrl-C. */
export interface Companion {
  stdin: Writable;
  /** Empty unless it goes into a pipe. */
  stdout: Readable | null;
  messages: Readable;
  exited: Promise<ExitStatus>;
  /** Asks its group to end, and ends it by force after `graceMs`. Resolves when no process of it is left. */
  end(): Promise<void>;
  /** Ends its group by force. */
  kill(): Promise<void>;
}

/** No lease ends it: the watchdog acts only if this process dies. */
const AGES_MS = 100 * 365 * 86_400_000;

const limitsOf = (group: number, now: Moment, graceMs: number): GroupLimits => ({
  group,
  terminateAt: later(now, AGES_MS),
  killAt: later(now, AGES_MS),
  graceMs,
});

/** Starts a process that the watchdog knows before its program begins. */
export async function startCompanion(
  { argv, cwd, env, stdout, graceMs }: CompanionPlan,
  watchdog: Watchdog,
): Promise<Companion> {
  const child = spawn('/bin/sh', ['-c', GATE, 'sh', ...argv], {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', stdout, 2, 'pipe', 'pipe'],
  });
  const group = await pidOf(child);
  const exited = new Promise<ExitStatus>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  for (const at of [0, 3]) (child.stdio[at] as Writable).on('error', () => undefined); // `exited` says so
  await watchdog.watch(limitsOf(group, machineNow(), graceMs));
  (child.stdio[3] as Writable).end('\n');
  const gone = async () => {
    await exited;
    await groupEnded(group);
    watchdog.forget(group);
  };
  const kill = () => {
    signalGroup(group, 'SIGKILL');
    return gone();
  };
  return {
    stdin: child.stdin!,
    stdout: child.stdout,
    messages: child.stdio[MESSAGES] as Readable,
    exited,
    kill,
    async end() {
      terminateGroup(group);
      const timer = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs);
      await gone().finally(() => clearTimeout(timer));
    },
  };
}

async function pidOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid!));
    child.once('error', ({ message }) =>
      reject(new CliError(`no process can be made: ${message}`, ExitCode.failed)),
    );
  });
}
