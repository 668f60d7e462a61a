/**
 * A job with several `targets`: one order is sent to the warehouse, the mail service and bookkeeping. Each
 * target has its own outcome, and a retry calls only the targets that have not succeeded.
 */
import { example, say, startTarget, until } from './example';

const NAMES = ['warehouse', 'mail', 'bookkeeping'];

example(async (client) => {
  const calls: string[] = [];
  let execId = '';
  const targets = await Promise.all(
    NAMES.map((name) =>
      startTarget(client, (delivery) => {
        calls.push(name);
        ({ execId } = delivery);
        say(`${name}: attempt ${delivery.attempt}`);
        return name === 'bookkeeping' && delivery.attempt === 1 ? 503 : 200;
      }),
    ),
  );
  try {
    const { jobId } = await client.jobs.create({
      schedule: { type: 'delay', delay: '1s' },
      targets: targets.map(({ url }) => ({ type: 'http' as const, url })),
      payload: { order: 4711 },
      retry: { maxAttempts: 5, initialDelay: '1s', multiplier: 1 },
    });
    await until(
      'bookkeeping has two calls',
      () => calls.filter((name) => name === 'bookkeeping').length === 2,
    );
    const execution = await client.executions.wait(jobId, execId, { timeoutMs: 30_000 });
    say(`outcomes: ${execution.targets.map(({ index, status }) => `${NAMES[index]} ${status}`).join(', ')}`);
    if (calls.length !== NAMES.length + 1) throw new Error(`called ${calls.join(', ')}`);
    if (execution.targets.some(({ status }) => status !== 'succeeded'))
      throw new Error('a target did not succeed');
    await client.jobs.delete(jobId);
  } finally {
    for (const target of targets) target.stop();
  }
});
