import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually';
import type { Client } from './client';
import type { Receiver } from './receiver';

export interface Actors {
  client: Client;
  receiver: Receiver;
  /** Ends an executor in the middle of its work. */
  killExecutor(): Promise<boolean>;
  /** The id of an execution of the job that is going on. */
  running(jobId: string): Promise<string>;
}

/** A kill hits whatever the executor has in hand: that begins only after its lease has gone stale and a sweep has come. */
const BEGINS_WITHIN_MS = 180_000;
const RETRY = { maxAttempts: 4, initialDelay: '1s', maxDelay: '2s' };

/**
 * Half a minute of jobs of every kind. Resolves when all is asked for; the last occurrence is due by then. What kills leave
 * of a job is random: `steady`, `queueing` and `flaky` are made after them, and go through undisturbed.
 */
export async function load({ client, receiver, killExecutor, running }: Actors): Promise<void> {
  const create = (jobId: string, schedule: object, more: object = {}, path = '200/50') =>
    client.create(jobId, {
      schedule,
      target: { type: 'http', url: `${receiver.url}/${path}` },
      payload: { stamp: `made-${jobId}` },
      retry: RETRY,
      ...more,
    });
  const begun = (jobId: string, calls = 1) =>
    eventually(
      () => receiver.begun(jobId),
      (count) => count >= calls,
      BEGINS_WITHIN_MS,
    );
  const every = (period: string, maxRuns?: number) => ({ type: 'interval', every: period, maxRuns });
  const after = (delay: string) => ({ type: 'delay', delay });

  const killed = async (): Promise<void> => {
    for (const jobId of ['killed-0', 'killed-1']) {
      await create(jobId, after('1s'), {}, '200/5000');
      await begun(jobId);
      // A kill takes any executor that is busy, so they go on until they have hit the one that has this call in hand.
      await eventually(
        async () => {
          await killExecutor();
          return receiver.cut(jobId);
        },
        (cuts) => cuts > 0,
      );
    }
    await Promise.all([
      create('steady', every('1s', 3)),
      create('queueing', every('1s', 8), { overlap: 'queue' }, '200/1500'),
      create('flaky', every('3s', 3), {}, 'flaky/100'),
    ]);
    await Promise.all([begun('steady', 3), begun('queueing', 3), begun('flaky', 6)]);
  };
  const paused = async (): Promise<void> => {
    await create('paused', every('2s'));
    await begun('paused', 2);
    await client.pause('paused');
    await sleep(6_000);
    await client.resume('paused');
    await begun('paused', 4);
    await client.delete('paused');
  };
  const deleted = async (): Promise<void> => {
    await create('deleted', every('1s'));
    await begun('deleted', 3);
    await client.delete('deleted');
  };
  const cancelled = async (): Promise<void> => {
    await create('cancelled', after('1s'), {}, '200/15000');
    await begun('cancelled');
    await client.cancel('cancelled', await running('cancelled'));
  };
  const ranNow = async (): Promise<void> => {
    await create('daily', { type: 'interval', every: '24h' });
    await client.run('daily', { stamp: 'run-now' });
    await begun('daily');
  };
  await Promise.all([
    killed(),
    paused(),
    deleted(),
    cancelled(),
    ranNow(),
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
