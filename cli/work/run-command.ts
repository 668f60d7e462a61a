import { FatalError, ReleaseError, StoppedError, type Work, type WorkContext } from '../../client/worker';
import { machineNow } from './clock';
import { errorText, type ExitStatus, outcomeOf, statusText } from './exit-outcome';
import { Output } from './output';
import { groupEnded, isGroupAlive, signalGroup, terminateGroup } from './process-group';
import { type CommandPlan, startCommand, type StartedCommand } from './start-command';
import { limitsOfEnding, limitsOfLease } from './watchdog/limits';
import type { Watchdog } from './watchdog/watchdog';

interface RunDeps {
  /** What to run for an execution. Throws a `FatalError` if it may not be run. */
  planOf(work: Work): Promise<CommandPlan>;
  fatalExits: ReadonlySet<number>;
  watchdog: Watchdog;
}

/** After the group has ended, for what it wrote last. */
const LAST_OUTPUT_MS = 1_000;

/**
 * Runs the command of one execution, and waits until each process of its group has ended. Throws what the
 * worker reports: a `FatalError`, a `ReleaseError` if it has not begun, or another error.
 */
export async function runCommand(work: Work, context: WorkContext, deps: RunDeps): Promise<void> {
  const plan = await deps.planOf(work);
  const command = await startOrRelease(plan);
  const output = new Output(command, context);
  const { status, wasAborted } = await supervise(command, context, deps);
  await output.finish(LAST_OUTPUT_MS);
  const reason: unknown = context.signal.reason;
  if (wasAborted) throw new Error(errorText(stopText(reason), output.error), { cause: reason });
  const outcome = outcomeOf(status, deps.fatalExits);
  if (outcome === 'succeeded') return;
  const text = errorText(statusText(status), output.error);
  throw outcome === 'fatal' ? new FatalError(text) : new Error(text);
}

const stopText = (reason: unknown): string =>
  reason instanceof StoppedError ? reason.message : 'the work was stopped';

async function startOrRelease(plan: CommandPlan): Promise<StartedCommand> {
  try {
    return await startCommand(plan);
  } catch (cause) {
    throw new ReleaseError(`no process can be made: ${(cause as Error).message}`, { cause });
  }
}

/** The watchdog knows the group before its command begins, so that no death of the worker leaves it alone. */
async function supervise(
  command: StartedCommand,
  { signal, lease }: WorkContext,
  { watchdog }: RunDeps,
): Promise<{ status: ExitStatus; wasAborted: boolean }> {
  const { group, exited } = command;
  const { graceMs } = lease.rules;
  let isEnding = false;
  let kill: NodeJS.Timeout | undefined;
  const watch = () => watchdog.watch(limitsOfLease(group, lease.keptUntil, graceMs));
  const release = lease.onKept(() => {
    if (!isEnding) void watch().catch(() => undefined); // it has died, and the worker stops
  });
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    void watchdog.watch(limitsOfEnding(group, machineNow(), graceMs)).catch(() => undefined); // as above
    terminateGroup(group);
    kill = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs);
  };
  try {
    await beginWatched(command, watch, signal);
    signal.addEventListener('abort', end, { once: true });
    const status = await exited;
    const wasAborted = signal.aborted;
    // The work ends with its command: what it has left in the background has no lease.
    if (isGroupAlive(group)) end();
    await groupEnded(group);
    return { status, wasAborted };
  } finally {
    clearTimeout(kill); // another group may get the number
    signal.removeEventListener('abort', end);
    release();
    watchdog.forget(group);
  }
}

async function beginWatched(
  { group, exited, open, close }: StartedCommand,
  watch: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const watched = await watch().then(
    () => true,
    () => false,
  );
  if (watched && !signal.aborted) return open();
  close();
  await exited;
  await groupEnded(group);
  throw new ReleaseError('the worker ends');
}
