import { Worker, type WorkerEvent } from '../../../../client/worker';
import { errorOf } from './errors';
import { definedJob } from './job-commands';
import { type Command, write } from './messages';
import { play } from './steps';
import { serve } from '../../../../client/jobs-in-code';

const workers = new Map<string, Worker>();

/** The client reads the wall clock by `Date.now`. */
const realNow = Date.now;

function eventOf(event: WorkerEvent): object {
  const ids = 'work' in event ? { jobId: event.work.jobId, execId: event.work.execId } : {};
  if (event.type === 'started') return { ...ids, attempt: event.work.attempt, fence: event.work.fence };
  if (event.type !== 'ended') return { ...ids, error: errorOf(event.error) };
  const { outcome, error, retriable, stopped, droppedLogLines } = event;
  return { ...ids, outcome, error, retriable, stopped, droppedLogLines };
}

function workerOf({ worker, steps, jobs, prefix, ...given }: Command): Worker {
  const { url, token, queue, concurrency, name, graceMs, retry } = given;
  const options = {
    ...{ url, token, queue, concurrency, name, graceMs, retry },
    onEvent: (event: WorkerEvent) => write({ event: 'worker', worker, type: event.type, ...eventOf(event) }),
  };
  if (jobs) return serve(jobs.map(definedJob), { prefix }).worker(options);
  return new Worker({
    ...options,
    handler: ({ payload, ...ids }, { signal, log, heartbeat, progress }) =>
      play(steps, { ids, payload, signal, log, heartbeat, progress }),
  });
}

function started(name: string): Worker {
  const worker = workers.get(name);
  if (!worker) throw new Error(`unknown worker ${name}`);
  return worker;
}

export const workerCommands = {
  work(command: Command): void {
    const worker = workerOf(command);
    workers.set(command.worker, worker);
    const over = (error?: object) => write({ event: 'worker', worker: command.worker, type: 'over', error });
    const working = worker.start().then(
      () => over(),
      (error: unknown) => over(errorOf(error)),
    );
    if (command.sigterm === true)
      process.once('SIGTERM', () => {
        void worker.drain();
        void working.then(() => process.exit(0));
      });
  },
  drain: ({ worker }: Command) => started(worker).drain(),
  stop: ({ worker }: Command) => started(worker).stop(),
  clock({ wallOffsetMs }: Command): void {
    Date.now = () => realNow() + wallOffsetMs;
  },
};
