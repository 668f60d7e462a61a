/**
 * A backfill: a nightly job runs for each night of a past week. A dry run says how many dates there are and
 * what they cost. One night fails; a retry runs that one alone.
 */
import { example, say, startTarget } from './example';

const JOB_ID = 'nightly-load';
const WEEK = { from: '2025-03-03T00:00:00Z', to: '2025-03-10T00:00:00Z' };

example(async (client) => {
  const loaded: string[] = [];
  let isBroken = true;
  const warehouse = await startTarget(client, (delivery) => {
    const day = delivery.dueAt.toISOString().slice(0, 10);
    if (isBroken && day === '2025-03-05') return 400;
    loaded.push(day);
    return 200;
  });
  try {
    await client.jobs.put(JOB_ID, {
      schedule: { type: 'cron', expression: '0 2 * * *' },
      target: { type: 'http', url: warehouse.url },
      // Two nights at a time would get into each other's way.
      overlap: 'skip',
    });
    const plan = await client.backfills.dryRun(JOB_ID, WEEK);
    say(`${plan.count} nights, ${plan.estimate.writes} writes, $${plan.estimate.dollars.toFixed(6)}`);

    const { execId } = await client.backfills.start(JOB_ID, WEEK);
    const first = await client.backfills.wait(JOB_ID, execId);
    say(
      `the backfill has ${first.status}: ${first.items.succeeded} nights loaded, ${first.items.failed} failed`,
    );
    if (first.items.failed !== 1) throw new Error(`${first.items.failed} nights have failed`);

    isBroken = false;
    await client.executions.retry(JOB_ID, execId);
    const second = await client.backfills.wait(JOB_ID, execId);
    say(`after the retry it has ${second.status}`);
    if (second.status !== 'succeeded') throw new Error(`the backfill is ${second.status}`);
    if (loaded.length !== plan.count || new Set(loaded).size !== plan.count)
      throw new Error(`loaded were ${loaded.join(', ')}`);
    const { count } = await client.backfills.dryRun(JOB_ID, WEEK);
    say(`${count} nights are missing now`);
    await client.jobs.delete(JOB_ID);
  } finally {
    warehouse.stop();
  }
});
