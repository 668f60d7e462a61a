import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { ExitStatus } from './exit-outcome';

export interface CommandPlan {
  argv: readonly string[];
  stdin: string;
  env: Record<string, string | undefined>;
  cwd: string;
}

/** A process that waits for `open` before it becomes the command. It leads a group of its own. */
export interface StartedCommand {
  group: number;
  stdout: Socket;
  stderr: Socket;
  exited: Promise<ExitStatus>;
  /** The command begins. */
  open(): void;
  /** Without `open`, the process ends and nothing has happened. */
  close(): void;
}

/** Waits for a byte; at the end of the pipe, because its worker has died, the command never begins. */
export const GATE = 'read -r _ <&3 || exit 125\nexec 3<&-\nexec "$@"';
const { O_RDONLY, O_NONBLOCK, O_WRONLY } = constants;

/**
 * Starts a process for the command. It has real pipes and a file as its streams: Node.js would give it
 * sockets, and those cannot be opened again as /dev/stdout or /dev/stdin. Rejects if no process can be made.
 */
export async function startCommand({ argv, stdin, env, cwd }: CommandPlan): Promise<StartedCommand> {
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-work-'));
  const opened: number[] = [];
  const open = (name: string, flags: number): number => {
    const fd = openSync(join(dir, name), flags);
    opened.push(fd);
    return fd;
  };
  const sockets: Socket[] = [];
  try {
    // Another user may have to open them again, but only through its own streams.
    await promisify(execFile)('mkfifo', ['-m', '666', join(dir, 'out'), join(dir, 'err')]);
    writeFileSync(join(dir, 'in'), stdin, { mode: 0o644 });
    const readers = ['out', 'err'].map((name) => openSync(join(dir, name), O_RDONLY | O_NONBLOCK));
    for (const fd of readers) sockets.push(new Socket({ fd, readable: true, writable: false }));
    const stdio = [open('in', O_RDONLY), open('out', O_WRONLY), open('err', O_WRONLY), 'pipe'] as const;
    const child = spawn('/bin/sh', ['-c', GATE, 'sh', ...argv], {
      cwd,
      env,
      detached: true,
      stdio: [...stdio],
    });
    return { ...(await started(child)), stdout: sockets[0]!, stderr: sockets[1]! };
  } catch (error) {
    for (const socket of sockets) socket.destroy();
    throw error;
  } finally {
    for (const fd of opened) closeSync(fd);
    rmSync(dir, { recursive: true });
  }
}

function started(child: ChildProcess): Promise<Omit<StartedCommand, 'stdout' | 'stderr'>> {
  const exited = new Promise<ExitStatus>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const gate = child.stdio[3] as Socket | null;
  gate?.on('error', () => undefined); // the process has ended before it was let go: `exited` tells
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () =>
      resolve({
        group: child.pid!,
        exited,
        open: () => void gate?.end('\n'),
        close: () => void gate?.destroy(),
      }),
    );
  });
}
