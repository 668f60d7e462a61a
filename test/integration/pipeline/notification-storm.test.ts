import { tellEnds } from '../../../lambdas/core/alerts/tell-ends';
import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { compactInstant, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { PipelineWorld } from '../../support/pipeline-world';

const FAILURES = 10_000;

/** A world with a notification, the ends of failures of so many jobs in one minute, and what is delivered. */
async function storm(jobs: number) {
  const world = await PipelineWorld.started(1);
  const target = { type: 'http', url: 'https://hooks.example.com/ops' };
  const body = { on: ['failed'], target, minInterval: '10m' };
  expect((await world.clock.settle(world.api('putNotification', { id: 'ops' }, body))).status).toBe(201);
  const startMs = world.clock.nowMs();
  const ended = Array.from({ length: FAILURES }, (_, index) => {
    const finishedAtMs = startMs + Math.floor((index * MINUTE_MS) / (2 * FAILURES));
    const execId = compactInstant(finishedAtMs);
    const jobKey = jobKeyOf({ userId: 'alice', jobId: `job-${index % jobs}` });
    return {
      jobKey,
      execId,
      dueAtMs: finishedAtMs,
      status: 'failed' as const,
      reason: 'fatal' as const,
      fence: 1,
      finishedAtMs,
    };
  });
  const bodies: { kind: string; headline: string; job?: { jobId: string } }[] = [];
  world.observe = (delivery) => bodies.push(JSON.parse(delivery.body.toString()) as (typeof bodies)[number]);
  return { world, ended, bodies };
}

test('a storm of 10,000 failures in one minute is at most 21 messages, rechecked twice or not', async () => {
  const { world, ended, bodies } = await storm(FAILURES);
  expect((await tellEnds(ended, world.deps)).size).toBe(0);
  // Each recheck may be repeated.
  expect((await tellEnds(ended.slice(0, 1_000), world.deps)).size).toBe(0);
  await world.run(3 * MINUTE_MS);
  expect(bodies.filter(({ kind }) => kind === 'failed')).toHaveLength(20);
  expect(bodies.filter(({ kind }) => kind === 'summary')).toEqual([
    expect.objectContaining({ headline: `${FAILURES - 20} more messages in one minute` }),
  ]);
  expect(bodies).toHaveLength(21);
});

test('a storm of 10,000 failures of ten jobs is one message of each job in its least interval', async () => {
  const { world, ended, bodies } = await storm(10);
  for (let from = 0; from < FAILURES; from += 1_000)
    expect((await tellEnds(ended.slice(from, from + 1_000), world.deps)).size).toBe(0);
  await world.run(5 * MINUTE_MS);
  expect(bodies).toHaveLength(10);
  expect(new Set(bodies.map(({ job }) => job?.jobId))).toEqual(
    new Set(Array.from({ length: 10 }, (_, index) => `job-${index}`)),
  );
});
