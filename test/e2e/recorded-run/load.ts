import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually';
import type { Client } from './client';
import type { Receiver } from './receiver';

export interface Actors {
  client: Client;
  receiver: Receiver;
  /** Kills a busy executor; false if there is none. */
  killExecutor(): Promise<boolean>;
  /** The id of a running execution of the job. */
  running(jobId: string): Promise<string>;
}

/**
 * A kill hits any busy executor. The next attempt begins only after the lease has become stale and a sweep
 * has run.
 */
const BEGINS_WITHIN_MS = 180_000;
const RETRY = { maxAttempts: 4, initialDelay: '1s', maxDelay: '2s' };

const every = (period: string, maxRuns?: number) => ({ type: 'interval', every: period, maxRuns });
const after = (delay: string) => ({ type: 'delay', delay });

/**
 * Half a minute of jobs of every kind. Resolves when everything has been requested; the last occurrence is
 * due by then. What a kill leaves of a job is random. So `steady`, `queueing` and `flaky` are created after
 * the kills, and run undisturbed.
 */
export async function load(actors: Actors): Promise<void> {
  const create = creator(actors);
  await Promise.all([
    killed(actors),
    pausedThenDeleted(actors),
    deleted(actors),
    cancelled(actors),
    ranNow(actors),
    flows(actors),
    create('once-0', after('2s')),
    create('once-1', after('4s')),
    create('heartbeat', every('2s', 10)),
    create('skipping', every('1s', 12), { overlap: 'skip' }, '200/1500'),
    create('third', after('5s'), { orderingKey: 'customer/42' }, '200/500'),
    create('second', after('4s'), { orderingKey: 'customer/42' }, '200/1500'),
    create('first', after('3s'), { orderingKey: 'customer/42' }, '200/2000'),
    sleep(20_000),
  ]);
}

const creator =
  ({ client, receiver }: Actors) =>
  (jobId: string, schedule: object, more: object = {}, path = '200/50'): Promise<void> =>
    client.create(jobId, {
      schedule,
      target: { type: 'http', url: `${receiver.url}/${path}` },
      payload: { stamp: `made-${jobId}` },
      retry: RETRY,
      ...more,
    });

/** Resolves when that many calls of a job have begun. */
const begun = ({ receiver }: Actors, jobId: string, calls = 1): Promise<object> =>
  eventually(
    () => ({ jobId, calls, begun: receiver.begun(jobId) }),
    (seen) => seen.begun >= calls,
    BEGINS_WITHIN_MS,
  );

async function killed(actors: Actors): Promise<void> {
  const create = creator(actors);
  for (const jobId of ['killed-0', 'killed-1']) {
    await create(jobId, after('1s'), {}, '200/5000');
    await begun(actors, jobId);
    // A kill hits any busy executor, so kills are repeated until one cuts this call.
    await eventually(
      async () => {
        await actors.killExecutor();
        return actors.receiver.cut(jobId);
      },
      (cuts) => cuts > 0,
    );
  }
  await Promise.all([
    create('steady', every('1s', 3)),
    create('queueing', every('1s', 8), { overlap: 'queue' }, '200/1500'),
    create('flaky', every('3s', 3), {}, 'flaky/100'),
  ]);
  await Promise.all([begun(actors, 'steady', 3), begun(actors, 'queueing', 2), begun(actors, 'flaky', 6)]);
}

async function pausedThenDeleted(actors: Actors): Promise<void> {
  const { client } = actors;
  await creator(actors)('paused', every('2s'));
  await begun(actors, 'paused', 2);
  await client.pause('paused');
  await sleep(6_000);
  await client.resume('paused');
  await begun(actors, 'paused', 4);
  await client.delete('paused');
}

async function deleted(actors: Actors): Promise<void> {
  await creator(actors)('deleted', every('1s'));
  await begun(actors, 'deleted', 3);
  await actors.client.delete('deleted');
}

async function cancelled(actors: Actors): Promise<void> {
  await creator(actors)('cancelled', after('1s'), {}, '200/15000');
  await begun(actors, 'cancelled');
  await actors.client.cancel('cancelled', await actors.running('cancelled'));
}

/** Runs of a workflow, which are under way while executors are killed. */
function flows({ client, receiver }: Actors): Promise<void> {
  const task = (path: string, ...dependsOn: string[]) => ({
    target: { type: 'http', url: `${receiver.url}/${path}` },
    input: { stamp: 'task' },
    dependsOn,
  });
  const tasks = {
    extract: task('200/300'),
    left: task('200/2000', 'extract'),
    right: task('flaky/500', 'extract'),
    load: task('200/50', 'left', 'right'),
    clean: { ...task('200/50'), finally: 'always' },
  };
  return client.create('flow', {
    schedule: every('4s', 4),
    retry: RETRY,
    timeout: '1h',
    workflow: { tasks },
  });
}

async function ranNow(actors: Actors): Promise<void> {
  await creator(actors)('daily', { type: 'interval', every: '24h' });
  await actors.client.run('daily', { stamp: 'run-now' });
  await begun(actors, 'daily');
}
