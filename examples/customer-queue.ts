/**
 * Jobs with an `orderingKey`. The jobs of one customer run in order, one at a time. A customer whose job
 * fails does not delay the other customers.
 */
import type { Quarterjack } from 'quarterjack';

import { example, say, startTarget, until } from './example';

const STEPS = ['charge', 'invoice', 'receipt'];

example(async (client) => {
  const done: string[] = [];
  const billing = await startTarget(client, (delivery) => {
    const { customer, step } = delivery.json<{ customer: string; step: string }>();
    // Fails until ben is done. If ben's jobs waited for anna's, neither would ever finish.
    if (customer === 'anna' && !done.includes('ben receipt')) {
      say('anna: the bank does not answer');
      return 503;
    }
    done.push(`${customer} ${step}`);
    say(`${customer}: ${step}`);
  });
  try {
    const jobIds = await makeJobs(client, billing.url, ['anna', 'ben']);
    await until('all steps are done', () => done.length === 6);
    for (const customer of ['anna', 'ben']) {
      const steps = done.filter((one) => one.startsWith(customer)).map((one) => one.split(' ')[1]);
      if (steps.join() !== STEPS.join()) throw new Error(`${customer} had ${steps.join()}`);
    }
    for (const jobId of jobIds) await client.jobs.delete(jobId);
  } finally {
    billing.stop();
  }
});

/** Creates a job for each step of each customer, due a quarter of a second apart. */
async function makeJobs(client: Quarterjack, url: string, customers: readonly string[]): Promise<string[]> {
  const startMs = Date.now() + 5_000;
  const outcomes = await client.jobs.createBatch(
    customers.flatMap((customer) =>
      STEPS.map((step, index) => ({
        schedule: { type: 'at' as const, at: new Date(startMs + 250 * index).toISOString() },
        target: { type: 'http' as const, url },
        payload: { customer, step },
        orderingKey: `customer/${customer}`,
        retry: { maxAttempts: 50, initialDelay: '1s', multiplier: 1 },
      })),
    ),
  );
  return outcomes.map(({ job, problem }) => {
    if (!job) throw new Error(problem?.detail);
    return job.jobId;
  });
}
