import { FatalError, ReleaseError, RetryAfter, StoppedError } from '../../../../client/worker';
import { type Command, write } from './messages';

export type Step = Omit<Command, 'do'>;

/** What a handler of any kind has. */
export interface Handler {
  ids: { jobId: string; execId: string; attempt: number; fence: number; dueAt: Date | string };
  payload: unknown;
  signal: AbortSignal;
  log(text: string, stream?: 'stdout' | 'stderr'): void;
  heartbeat?(): Promise<void>;
  progress?(share: number, text?: string): void;
}

const gates = new Map<string, { opened: Promise<void>; open(): void }>();

function gateOf(name: string) {
  let gate = gates.get(name);
  if (!gate) {
    let open!: () => void;
    const opened = new Promise<void>((done) => (open = done));
    gate = { opened, open };
    gates.set(name, gate);
  }
  return gate;
}

export const openGate = (name: string): void => gateOf(name).open();

/** Plays the steps of a handler. */
export async function play(steps: readonly Step[], handler: Handler): Promise<unknown> {
  for (const step of steps) {
    if ('return' in step) return step.return;
    if (step.echo) return handler.payload;
    await act(step, handler);
  }
  return undefined;
}

async function act(step: Step, { ids, payload, signal, log, heartbeat, progress }: Handler): Promise<void> {
  if ('log' in step) log(step.log, step.stream);
  if (step.emit) write({ event: 'step', name: step.emit, ...ids, payload });
  if (step.gate) await gateOf(step.gate).opened;
  if (step.heartbeat) await heartbeat?.();
  if (step.progress !== undefined) progress?.(step.progress, step.text);
  if (step.untilStopped) {
    await stopped(signal);
    const { jobId, execId } = ids;
    write({ event: 'stopping', jobId, execId, reason: reasonOf(signal) });
    if (step.untilStopped === 'throw') throw signal.reason;
  }
  if (step.throw !== undefined) throw new Error(step.throw);
  if (step.fatal !== undefined) throw new FatalError(step.fatal);
  if (step.release !== undefined) throw new ReleaseError(step.release);
  if (step.retryAfter !== undefined) throw new RetryAfter(step.retryAfter, step.message);
}

const stopped = (signal: AbortSignal): Promise<unknown> | undefined =>
  signal.aborted ? undefined : new Promise((done) => signal.addEventListener('abort', done, { once: true }));

const reasonOf = ({ reason }: AbortSignal): string =>
  reason instanceof StoppedError ? reason.reason : 'closed';
