import type { Io } from './io';

/** What a command says at its first Ctrl-C, while requests are still under way. */
const FINISHING = 'Stopping after the requests under way. A second Ctrl-C stops at once.';

/**
 * Runs long work that the first Ctrl-C ends in order: its signal aborts, and the work returns what it has
 * done. A second Ctrl-C ends the process. `isInterrupted` tells whether the first one came.
 */
export async function interruptible<Result>(
  io: Pick<Io, 'onInterrupt' | 'stderr'>,
  work: (signal: AbortSignal) => Promise<Result>,
  says = FINISHING,
): Promise<{ result: Result; isInterrupted: boolean }> {
  const controller = new AbortController();
  const release = io.onInterrupt(() => {
    io.stderr.write(`${io.stderr.isTTY === true ? '\r\u001b[2K' : ''}${says}\n`);
    controller.abort();
  });
  try {
    return { result: await work(controller.signal), isInterrupted: controller.signal.aborted };
  } finally {
    release();
  }
}
